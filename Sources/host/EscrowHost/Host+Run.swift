import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowIdentity
import EscrowJSON
import EscrowLedger
import EscrowMinimisation
import EscrowTrust

/// What a run needs of the home.
extension Host: RunHost {
    var decisions: any GrantBook { grants }
    var waiting: any WaitingRoom { queue }
    var day: any LedgerDay { ledgerUse }

    func verified(_ name: String) throws(Diagnostic) -> VerifiedPlugin {
        // One time for all: the ledger is looked at once.
        let now = try now()
        return try plugins(at: now).open(name, now: now)
    }

    func place(
        run: String, app: String, memoryMiB: Int, _ cancellation: Runner.Cancellation
    ) throws(Diagnostic) -> any ComputePlace {
        ThisDevice(self, try slots.take(run: run, app: app, memoryMiB: memoryMiB, cancellation))
    }

    func keyedHash(app: String, publisher: String) throws(Diagnostic) -> KeyedHash {
        try identifiers.keyedHash(app: app, publisher: publisher)
    }

    func ledgerTime() throws(Diagnostic) -> LedgerTime { try ledger.now() }

    func append(
        _ kind: LedgerEntry.Kind, run: String?, _ fields: JSONValue
    ) throws(Diagnostic) -> UInt64 {
        try ledger.append(kind, run: run, fields: fields).sequence
    }

    func takeEgress(
        bits: Int, bytes: Int, of budget: EgressBudget, grant: String, day: String
    ) throws(Diagnostic) -> Bool {
        try EgressUsage(directory: home.path).take(
            bits: bits, bytes: bytes, of: budget, grant: grant, day: day)
    }

    func allotting<Result>(_ body: () throws(Diagnostic) -> Result) throws(Diagnostic) -> Result {
        let lock = try FileLock.acquire(home.path + "/allowance.lock")
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }
}

extension Host {
    /// What waits for the device.
    public var queue: WaitingQueue { WaitingQueue(path: home.queuePath) }
}
