"""What a script found right and wrong, with what it saw where something was wrong."""


class Checks:
    def __init__(self):
        self.passed, self.failed, self.skipped = 0, 0, 0

    def that(self, holds, what, seen=""):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            print(f"FAILED: {what}" + (f"\n  {str(seen)[:1500]}" if seen != "" else ""), flush=True)

    def skip(self, what):
        self.skipped += 1
        print(f"skipped: {what}", flush=True)

    def ended(self):
        """The last line of a script; its exit code."""
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed or not self.passed else 0
