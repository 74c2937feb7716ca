"""A Slurm cluster on this machine: a controller and two virtual nodes, without munge, systemd or accounting.

    with VirtualCluster(folder) as cluster:
        subprocess.run(["sinfo"], env=cluster.environment)

Everything lies in `folder`; ports are free ones. Needs Debian's slurm-wlm and root, because nodes start tasks as their owner.
"""

import os
import pathlib
import shutil
import socket
import subprocess
import time

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")
NODES = ("virtual1", "virtual2")


def missing():
    """Why there can be no cluster here, or nothing."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        return f"{', '.join(absent)}: not installed (Debian's slurm-wlm)"
    return "" if os.geteuid() == 0 else "only root can start its nodes"


def free_port():
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return opened.getsockname()[1]


class VirtualCluster:
    def __init__(self, folder, cpus=2, most_jobs=20000):
        self.folder = pathlib.Path(folder)
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.processes = {}
        for name in ("state", "log", *(f"spool_{node}" for node in NODES)):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        ports = {node: free_port() for node in NODES}
        nodes = "\n".join(f"NodeName={node} NodeHostname={socket.gethostname()} NodeAddr=127.0.0.1 Port={ports[node]} "
                          f"CPUs={cpus} RealMemory=4096 Feature={node} State=UNKNOWN" for node in NODES)
        (self.folder / "slurm.conf").write_text(f"""
ClusterName=virtual
SlurmctldHost={socket.gethostname()}(127.0.0.1)
SlurmctldPort={free_port()}
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool_%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd_%n.pid
SlurmctldLogFile={self.folder}/log/slurmctld.log
SlurmdLogFile={self.folder}/log/slurmd_%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
SlurmdTimeout=10
SlurmctldTimeout=10
InactiveLimit=0
KillWait=2
MinJobAge=10
ReturnToService=2
MaxArraySize=1001
MaxJobCount={most_jobs}
MpiDefault=none
{nodes}
PartitionName=all Nodes={",".join(NODES)} Default=YES MaxTime=INFINITE State=UP
""")

    def __enter__(self):
        self.start_controller()
        for node in NODES:
            self.start_node(node)
        self.wait(lambda: self.states() == {node: "idle" for node in NODES}, "the nodes are not idle")
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.kill()
        for process in self.processes.values():
            process.wait()

    def run(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60)

    def start(self, name, *command):
        with open(self.folder / "log" / f"{name}.out", "ab") as log:
            self.processes[name] = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def stop(self, name):
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def start_controller(self):
        self.start("controller", "slurmctld", "-D", "-f", self.environment["SLURM_CONF"])

    def start_node(self, node):
        self.start(node, "slurmd", "-D", "-N", node, "-f", self.environment["SLURM_CONF"])

    def states(self):
        lines = self.run("sinfo", "-N", "-h", "-o", "%N %t").stdout.split("\n")
        return dict(line.split() for line in lines if line.strip())

    def wait(self, condition, otherwise, seconds=90):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                logs = "\n".join(path.read_text()[-2000:] for path in sorted((self.folder / "log").iterdir()))
                raise RuntimeError(f"{otherwise}: {self.states()}\n{logs}")
            time.sleep(0.2)
