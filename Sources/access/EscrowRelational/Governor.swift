internal import EscrowDiagnostics
internal import Synchronization

/// Watches what one access uses up: time, instructions, held bytes, delivered rows and bytes.
final class Governor {
    let budget: AccessBudget
    /// Set from any thread; polled wherever the deadline is.
    let cancelled = Atomic(false)
    /// Bytes of rows held now.
    private(set) var heldBytes = 0
    private(set) var rows = 0
    private(set) var bytes = 0
    private var steps = 0
    /// What functions went through since the last look at the clock.
    private var spent = 0
    private var remaining: Duration
    private var started: ContinuousClock.Instant?

    /// Instructions of SQLite's virtual machine between two looks at the clock.
    static let stepsPerLook: Int32 = 250
    /// Bytes that functions go through between two looks.
    private static let bytesPerLook = 1 << 20

    init(_ budget: AccessBudget) {
        self.budget = budget
        remaining = .seconds(budget.seconds)
    }

    /// The clock runs from here to ``rest()``: the reader's own time between two calls does not count.
    func work() { started = .now }

    func rest() {
        if let started { remaining -= .now - started }
        started = nil
    }

    /// Looks at the clock and at the flag of cancellation.
    func check() throws(Diagnostic) {
        if cancelled.load(ordering: .relaxed) {
            throw Diagnostic(.accessCancelled, "the access was cancelled")
        }
        if let started, .now - started > remaining {
            throw Diagnostic(
                .outOfTime, "the query took longer than its \(budget.seconds) seconds",
                help: "read fewer columns, or narrow the query with WHERE")
        }
    }

    /// Called by SQLite every ``stepsPerLook`` instructions.
    func countSteps() throws(Diagnostic) {
        steps += Int(Self.stepsPerLook)
        guard steps <= budget.steps else {
            throw Diagnostic(
                .tooManySteps, "the query took more than its \(budget.steps) steps",
                help: "narrow the query with WHERE, or join on fewer rows")
        }
        try check()
    }

    /// Called by functions before they go through so many bytes within one instruction of SQLite's.
    func spend(_ bytes: Int) throws(Diagnostic) {
        spent += bytes
        guard spent >= Self.bytesPerLook else { return }
        spent = 0
        try check()
    }

    /// Whether `count` more bytes of rows may be held; holds them if so.
    func tryHold(_ count: Int) -> Bool {
        guard count <= budget.heldBytes - heldBytes else { return false }
        heldBytes += count
        return true
    }

    func release(_ count: Int) { heldBytes -= count }

    /// Counts a row before it is delivered.
    func deliver(bytes count: Int) throws(Diagnostic) {
        guard rows < budget.rows else {
            throw Diagnostic(
                .tooManyRows, "the query yields more than its \(budget.rows) rows",
                help: "narrow the query with WHERE or LIMIT")
        }
        guard count <= budget.bytes - bytes else {
            throw Diagnostic(
                .tooManyBytes, "the query yields more than its \(budget.bytes) bytes",
                help: "read fewer columns, or narrow the query with WHERE or LIMIT")
        }
        rows += 1
        bytes += count
    }
}
