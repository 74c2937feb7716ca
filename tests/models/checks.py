"""What a script found right and wrong, with what it saw where something was wrong."""


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def that(self, holds, what, seen=""):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            print(f"FAILED {what}: {str(seen)[:800]}")
