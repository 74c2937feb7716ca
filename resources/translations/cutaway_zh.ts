<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en_US">
<context>
    <name>QObject</name>
    <message>
        <source>1 thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dataflow, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequential, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>takes the %1 order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plans by the reference engine&apos;s rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plans by %1 rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reuses free buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reuses no free buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writes in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writes nothing in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plans a memory pattern</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plans no memory pattern</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs on %1 workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs independent nodes at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs one node after the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has %1 = %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>everything in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formula</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size over the open dimensions; equal formulas mean equal sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffer of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The value that owns the memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tenants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values that live in this buffer, one after the other or over one another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lives in steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closest candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sum of their sizes; a + stands for values of unknown size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it means</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The caller gives it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It belongs to the graph around this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A constant, kept as long as the session.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel brings its own memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A graph output: its memory goes to the caller, or comes from there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same object as the loop&apos;s own input.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another shape of the same bytes: no data moves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written over an input that nobody needs afterwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written into its place inside a later Concat&apos;s output: that Concat copies nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A piece of its input where it lies: Split copies nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written straight into the graph output that is a view of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes over a free buffer of the same size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes over a free buffer that is larger.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No buffer could be taken over: it gets its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>steps %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a value or a node to see the buffer it lives in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes no room among the activations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>closest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values in %2 buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No value of this graph has a buffer of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (%1 bytes)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 · on %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>buffer of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, from byte %1 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taken from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lives in steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last used by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in this buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, worse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (simulated)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs at step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>took</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, between %2 and %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Through the stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Providers asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 original nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiled into</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, as part of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>body</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>because</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, also output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stored in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>work unknown: its shapes are open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>moves %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody took it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on &lt;b&gt;%1&lt;/b&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an island of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> in </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>simulated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node %1, without a name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No provider was asked about it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · weights %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one to see why:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not usable: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 nodes, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asking took %1, compiling %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
Describes hardware that is not here: its nodes run on the CPU kernels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
Not usable: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
weights %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes per provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taken by nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulated hardware is not here: measured times are those of the CPU kernels in its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where estimates come from, and what to know</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Borders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of them compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>casts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes crossed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copies of unknown size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory and time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>planned peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>estimated time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of it copying</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No node moves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 node moves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 nodes move</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 as fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2 times as %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From → to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forced by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removed by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>− goes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+ comes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of unknown size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ claimed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>– already taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✕ refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✕ group rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✕ compile failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>↩ given back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at offset %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, needs %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · live %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, measured %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>workspace of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing could be planned: no value of this graph has a size that is known before running. Bind the open dimensions to see its memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower bound %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live, planned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bodies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 blocks over %2 steps, peak %3 at step %4, lower bound %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of all bytes alive at the peak step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By how much the lower bound would fall if this value needed no memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept alive by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The node of its last use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above the bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounded up to the alignment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intervals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More than one: between them the memory is somebody else&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if: %1 on %2. Compare shows what it changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin this %1 to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin all %1 to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin everything in %1 to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to know</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>planned in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>critical path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without sharing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>values of unknown size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>buffers of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take another&apos;s buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of them in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parts of others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside the activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes are open: bind the dimensions to compare peaks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (%1 %)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak %1 %2%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no value differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 value differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 node at another step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 nodes at another step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes are open: there are no live bytes to draw. Bind the dimensions in the draft.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>life</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differs in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now → what if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why, what if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why, now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without sharing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values whose size no dimension decides</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Walk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Helper %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not in this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth first from the outputs back: producers stand just before their consumers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready nodes by priority: shapes first, then by index.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready nodes in the order in which they became ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready nodes that free most and allocate least, improved by local search; never above the default order&apos;s peak.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much later it may end before the whole takes longer; nothing: it is on the critical path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activations alive while it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>May run until</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last step that may start before this one has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>critical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launched; held back by a barrier or a wait; followed by a notification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cost %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on the critical path: no slack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slack %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>may still run when step %1 starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live bytes %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1 · %2 · %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · critical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · slack %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has slack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time, if every node takes its cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 steps on %2 lanes, critical path of %3 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shown to look at: this model cannot run here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled. What was finished before is shown; F5 starts again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Walked in %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Inputs &amp; outputs</source>
        <translation>输入 &amp; 输出</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>执行顺序</translation>
    </message>
    <message>
        <source>Allocation</source>
        <translation>内存分配</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>内存模式</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
</context>
<context>
    <name>cutaway::ui</name>
    <message>
        <source>an unnamed compiler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>main</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dependent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with its main node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>placeholder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot run here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> with SDK %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 took it as it is: nothing was compiled again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It describes what that hardware would hold; here its nodes are run by the kernels of %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was not restored in this session.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be used here: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the providers of this session can run it (%1). </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its inputs and outputs, its attributes, the %1 original nodes that the file tells about, and everything around it can be seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its inputs and outputs, its attributes and everything around it can be seen; what is inside is machine code that only its maker reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as a placeholder: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no: run by kernels, nothing was compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nodes outside of groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Constants that are kept in the context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fused node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As its context node will be called, without the prefix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Binary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes inside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every node runs by kernel: nothing is compiled, so there is nothing to keep. Providers such as onednn or openvino compile groups of nodes (--providers).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups are compiled, but none of them can be kept; the table says why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A context model keeps what was compiled, so that loading it compiles nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Here only placeholders would be written: the hardware is described, not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> The one other node is written as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> The other %1 nodes are written as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a compiled model: parts of it were compiled by %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> All of them were restored here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> It can be looked at, but not run here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> None of them can be run here; the model can be looked at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> %1 of %2 were restored here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; the model&apos;s weights have %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are kept once instead of several times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 compiled, %2 as they were</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>took</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>differs by up to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loaded again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready to run after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiled here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Later runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does not load: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It loads, but: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; both are ready within 100 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, ready to run %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It loads and gives the same bits%1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It loads, but its outputs differ%1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not said: any provider may try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>main: it has the binary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dependent: its part is in the binary of a main node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>binary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest of its set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 were open already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SDK</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hardware</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>original model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>original nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file does not say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restored in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (simulated)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kernels, node by node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes it would get if the cause were gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of all nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason, of the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values that enter, and their bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values that leave, and their bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Becomes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From → to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forced by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removed by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>casts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Within</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without what stands below it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 of all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready after %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> “%1” takes %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, most of it “%1” with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, the longest in it “%1” with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faster, slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>within noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only in the baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p &lt; 0.001</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p = %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 faster than the baseline, significant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 slower than the baseline, significant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No difference beyond noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 now, %2 before (%3), %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; the difference is between %1 and %2 with 95 % confidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Caller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worker %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of %1 runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>90 % below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>99 %: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slowest %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine, a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outside kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read from %1: %2%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> after 1 warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> after %1 warm-ups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dataflow with %1 workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dataflow, 1 worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequential</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1%2 on %3, %4%5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the model has them; in memory now: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the model has them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Packed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the layouts that kernels want; shared with other sessions: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights in the layouts that kernels want</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of the memory pattern</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arena</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values whose size was not known before the run. %1 requests, grew %2 times, %3 in use at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scratch of kernels</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ActivityBar</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is going on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop (Ctrl+.)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AllocatePanel</name>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kind %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffers of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take a free buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In place and views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts and into outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planned by the rules of %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the reference engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AskingOrder</name>
    <message>
        <source>Providers in asking order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asked as number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes taken, and their share of all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operations of the nodes taken, and their share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled groups and islands of nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking + compiling</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CanvasBar</name>
    <message>
        <source>Colour by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour nodes by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold all scopes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unfold all scopes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom out (Shift+Down)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Actual size (Shift+Backspace)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom in (Shift+Up)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit the whole graph (Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the present partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the partition that was tried out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CommandMenus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ComparisonControls</name>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make this the configuration of the session, and walk again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the configuration of the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the session has it. Change something, then compare.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if it %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ContextPanel</name>
    <message>
        <source>Context nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 main</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usable here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Original nodes inside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups kept compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes in them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights in them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As placeholders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The context model could not be used; its original was opened instead: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CreationPage</name>
    <message>
        <source>Flame chart of making the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long loading, optimizing, asking providers and making kernels takes stands here once the session is ready.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DistributionView</name>
    <message>
        <source>Runs of both profiles</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DockTitle</name>
    <message>
        <source>Close this panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DocumentPage</name>
    <message>
        <source>It cannot run here; everything about it is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to show here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DraftEditor</name>
    <message>
        <source>Ask in this order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smallest compiled group, in nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smallest compiled group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Providers in the order to ask them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Options, key=value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask earlier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask earlier (Alt+Up)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask later (Alt+Down)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take out (Del)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the chosen pin (Del)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None. Right-click a node on the graph or in the table to pin it, its operator or its scope.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is always asked last and takes what nobody else took.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Options of %1, as in its manual page: key=value, parted by commas</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EngineService</name>
    <message>
        <source>Walking %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ErrorBanner</name>
    <message>
        <source>Show node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ExportForm</name>
    <message>
        <source>Browse …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace what is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reload and verify</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in files beside the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inside the model&apos;s file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the model&apos;s file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in a file of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put before the names of context nodes and partitions, so that several models that share a binary stay apart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of nodes that stay outside of compiled groups.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> KB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller weights stay in the model&apos;s file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without it you are asked before anything is replaced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens what was written, runs it beside the original on the same inputs, and compares outputs and times.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name prefix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File of other weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smallest weights that go there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unless you say otherwise: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the context model to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name a file to write to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a folder: name a file in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file&apos;s name needs an ending, such as .onnx.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder %1 does not exist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the model itself: write the context model to another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file of other weights lies beside the model: give it a plain name.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ExportPage</name>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verify</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Again …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was exported, and how it compares</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the export is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cutaway-cli command that writes the same files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The exported model in a tab of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the folder that the files were written to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens it again, runs both, and compares outputs and times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is there already: %2, written %3. Replace it?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written. Verifying …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written. Verifying: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was written before it could be stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Verifying was cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model is compiled already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is not partitioned yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiles the groups as this session does and writes them to the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verify again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing here opens folders: it is %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::FiguresView</name>
    <message>
        <source>Figures now and what if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::FindBar</name>
    <message>
        <source>Find: name, operator, type, attribute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::GraphView</name>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
%2 nodes; double-click unfolds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
runs on %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::InspectorPanel</name>
    <message>
        <source>Choose a node or a line on the graph,
or a row in a table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details of the selection</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LifeChart</name>
    <message>
        <source>Chart of buffers over steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · offset %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LinkedTable</name>
    <message>
        <source>Filter: all words must match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save table as CSV …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LoadPanel</name>
    <message>
        <source>Operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Phases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>External files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, IR %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opsets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes, all graphs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Functions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Phase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::MainWindow</name>
    <message>
        <source>Zoom &amp;in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+Up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Actual size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+Backspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit the &amp;graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll; with Ctrl zoom at the pointer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Middle or Space drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Walk along the lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter, double-click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unfold a group, enter a body or function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fo&amp;ld all groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Unfold all groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Overview map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Wheel zooms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plain wheel zooms and Ctrl+wheel scrolls, or the other way round.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The wheel zooms now; Ctrl+wheel scrolls.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The wheel scrolls now; Ctrl+wheel zooms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Leave body or function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes back the latest edit of the model and walks again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds nodes and values by name, operator, type, shape or attribute; Enter and Shift+Enter step, Esc closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Clear the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent file %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens models in tabs of their own; files can be dropped on the window too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reopen &amp;closed model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads the file again and walks through all stages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cl&amp;ose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait until the present work is finished, or cancel it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs the model as it was run last, and profiles it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stops what is going on at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stage panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ins&amp;pector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything about what is selected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export a picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures (*.svg *.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export picture …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the graph as SVG or PNG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows this stage of the walk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset arrangement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models (*.onnx *.textproto *.prototxt *.pbtxt *.onnxtxt);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::MemoryChart</name>
    <message>
        <source>Memory over time, planned and measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak %1, step %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held: up to %1, off the scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured memory was not recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1: %2 planned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1: %2 planned, %3 measured, %4 held</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Minimap</name>
    <message>
        <source>Overview of the graph</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeAnswers</name>
    <message>
        <source>Show group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers of the providers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the nodes of its group, and the group in the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if another provider had this node?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a node on the graph or in a table
to see what every provider said about it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing of what is selected was left
when providers were asked.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeTimes</name>
    <message>
        <source>Filter: all words must match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By name scope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roll up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times per node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save table as CSV …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unfold all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeTimesModel</name>
    <message>
        <source>(not in this model)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean per run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the time of all nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>±</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation over the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes read and written over the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taken from the arena while it ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 mean, %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodesPage</name>
    <message>
        <source>The chosen context node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>show its original nodes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OperatorPage</name>
    <message>
        <source>Deprecated in this version: newer models use another operator instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · since version %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Versions:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optional</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>default %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing, but required</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>required</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not in the schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A function of this model: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look at its body</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no documentation: version %1 of the domain %2 has no operator of this name that is known here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OperatorPanel</name>
    <message>
        <source>Look up an operator: Conv, com.microsoft:Gelu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look up an operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the selected node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a node: what its operator does is told here,
with this node&apos;s values beside the formal ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documentation of the operator</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OptimizePanel</name>
    <message>
        <source>Passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rewrites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passes that found something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folded into constants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rewrites (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What and why</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OrderPage</name>
    <message>
        <source>Progress of comparing orders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Orders side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the chosen order that of the session, and walk again (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare orders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the %1 order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planning the model in every order …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller peaks need less memory; a shorter path leaves more to do at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What would another order change? Plans the model in all four, without running it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order</source>
        <translation>执行顺序</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No placement of this order can be smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work on the longest chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planned in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live bytes over steps</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PageTabs</name>
    <message>
        <source>Open models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close others</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PartitionPanel</name>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refusals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if •</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 taken by nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Borders cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if: this is not what the session has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show its nodes in the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the node that forces it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taken by %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PatternPanel</name>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strategies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not planned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph and device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not planned (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+%1 above it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without sharing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, saves %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak at step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fragmentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured, with workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlanDraftEditor</name>
    <message>
        <source>Order</source>
        <translation>执行顺序</translation>
    </message>
    <message>
        <source>default: depth first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>priority</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fifo: as nodes become ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory: smallest peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cutaway&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the reference engine&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Executor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequential</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dataflow: independent nodes at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as many as pay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take over free buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>session.enable_mem_reuse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write over inputs that are needed no more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In place, where the operator allows it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan one block of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>session.enable_mem_pattern; without it every value comes from the arena</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model has no open dimension.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlanPage</name>
    <message>
        <source>Live bytes of both plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values (%1)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlanStudies</name>
    <message>
        <source>Comparing orders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planning sizes of %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProfilePage</name>
    <message>
        <source>Keep as baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read a trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only what is more than noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Later runs are compared with this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A trace written by onnxruntime or by Cutaway; it can also be dropped here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The baseline and the present run change places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget the baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the baseline …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the present run: paint it on the graph …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace to compare with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace to paint on the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Traces (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep this run as the baseline, change something (threads, executor, provider, a flag) and run again: the difference stands here, with what is more than noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the model, or read a trace, to compare profiles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The baseline is “%1”, median %2. Run again to compare.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only nodes that differ by more than noise</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ResolvePanel</name>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps of the rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous step of the rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step of the rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next step of the rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 steps decided what every value is: follow them here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overridable initializers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Constants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intermediates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read from outside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shapes known, symbolic, unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Functions inlined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Because</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At node</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RunControls</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Time nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure by runs or by seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequential</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dataflow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequential: one node after the other. Dataflow: nodes that do not depend on each other run at the same time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Executor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads of the session; 0: all cores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes that may run at the same time; 0: as many as pay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs, warm-ups, seed, workers and tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the model (Ctrl+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A word for this run, in its report and its trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-ups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further inputs get random numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>random numbers; or a .npy or .pb file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File for input %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file for input %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values for an input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors (*.npy *.pb);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RunPanel</name>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare •</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model cannot run here: it has parts that were compiled for something else. Everything else about it is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not run yet. Press Run (Ctrl+R): times are painted on the graph as soon as it has run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run was not profiled. Choose “Time nodes” and run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NaN, Inf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First values</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RunView</name>
    <message>
        <source>(not in this model)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean per run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 GFLOP/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads, writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2; %3 GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the arena</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SchedulePanel</name>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Walk through the order: arrow keys step, Page Up and Down leap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Walk through the order by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Orders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Streams</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step 0 of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order</source>
        <translation>执行顺序</translation>
    </message>
    <message>
        <source>Critical path, share of work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 nodes%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live bytes at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sizes are open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ShortcutSheet</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search for a key or for what it does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What they do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the sheet as PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print into a PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StagePanel</name>
    <message>
        <source>What if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if •</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StageRibbon</name>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>working …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stages of the walk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot run here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exporting …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>export failed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StartPage</name>
    <message>
        <source>See what inference does with your model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop an .onnx file here. Cutaway walks it through every stage, from file to finished run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample models: small networks that read handwritten digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StatisticsStrip</name>
    <message>
        <source>Statistics of the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deviation: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StepTimeline</name>
    <message>
        <source>By step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every step as long as any other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every step as long as its node takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline of steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of work in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lane per worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lane per stream</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SweepPage</name>
    <message>
        <source>Dimension</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes, parted by commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes, parted by commas; at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak over sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes are whole numbers from 1 on, parted by commas, at most %1 of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planning …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How does memory grow? Plans the model for every size of a dimension, without running it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model has no open dimension. Open it without binding one to sweep over its sizes.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Timeline</name>
    <message>
        <source>Timeline of spans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W and S zoom, A and D move, period and comma step through the spans, 0 shows all, Escape clears the range</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TimelinePage</name>
    <message>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory that the session holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour the spans by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+wheel or W and S: zoom at the pointer
Drag or A and D: move
Shift+drag: mark a range; the table shows what ran in it
Click: select the node; double click or 0: all of the run
. and ,: next and previous span; F: closer to it; R: its range
Esc: take the range or the selection off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys of the timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closer (W, +)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further away (S, −)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of the run (0, double click)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory was not recorded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 busy, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>. Bars are means</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ran between %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Tour</name>
    <message>
        <source>cannot make the folder %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tour took too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot write %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ValuePage</name>
    <message>
        <source>Select a value in the table, or a node on the graph, to see which buffer it lives in and why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why this value lives in this buffer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::WhatIfDraft</name>
    <message>
        <source>asks %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 free again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>groups of at least %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>settings of the file that was loaded</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>cutaway::ui::WhatIfPage</name>
    <message>
        <source>Saved %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot read %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is too large for a configuration: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loaded %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied %1 lines of settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also compile both and run each %1 times on random inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Configurations (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Configurations (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the equivalent onnxruntime settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moved (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies (+%1 −%2)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>panel</name>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
