public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc

/// The individual's standing decisions, in `grants.json` of a folder.
///
/// Every entry point asks `decide(for:rules:claimed:)` or `claim(_:rules:)`, and nothing else decides. Each call looks
/// at the file anew, so a grant that is revoked is gone for the very next question of any process.
public struct GrantStore: Sendable {
    let path: String
    private let store: StoreFile
    /// A change on its way into the file: there only while one is made, or after a crash.
    private let draft: StoreFile
    var draftPath: String { draft.path }
    let lockPath: String
    /// Held, beside the shared one above, by who counts a use.
    let usesLockPath: String
    let journal: any GrantJournal
    /// Throws where decisions may not be changed now.
    private let allowsChange: @Sendable () throws(Diagnostic) -> Void
    let clock: @Sendable () -> ConsentTime
    let hostStart: ConsentTime
    private let file: ParsedFile<Standing>
    let uses: GrantUses

    /// What the file held when it was parsed, ready to be decided by.
    struct Standing: Sendable {
        var content = GrantFile.Content()
        var index = GrantIndex([])
        /// Those that hold for an app that is proved.
        var provedIndex = GrantIndex([])
        var uses = GrantUses.Content()

        init() {}

        init(_ content: GrantFile.Content) {
            self.content = content
            index = GrantIndex(content.grants)
            let proved = content.grants.filter { $0.holds(for: .token) }
            provedIndex = proved.count == content.grants.count ? index : GrantIndex(proved)
        }

        /// The decisions with all their uses.
        var settled: GrantFile.Content {
            guard !uses.uses.isEmpty else { return content }
            var content = content
            content.grants = content.grants.map { $0.adding(uses.uses[$0.id]) }
            return content
        }
    }

    /// Names the folder; the file is made with the first decision. `hostStart` is when the process that serves apps
    /// began, for decisions that hold for one run of an app.
    public init(
        directory: String, journal: any GrantJournal = NoJournal(),
        clock: @escaping @Sendable () -> ConsentTime = ConsentTime.now, hostStart: ConsentTime? = nil,
        allowsChange: @escaping @Sendable () throws(Diagnostic) -> Void = { () throws(Diagnostic) in }
    ) {
        path = "\(directory)/grants.json"
        store = GrantFile.store(path)
        draft = GrantFile.store("\(directory)/grants.next")
        lockPath = "\(directory)/grants.lock"
        usesLockPath = "\(directory)/grants.uses.lock"
        self.journal = journal
        self.allowsChange = allowsChange
        self.clock = clock
        self.hostStart = hostStart ?? clock()
        file = ParsedFile(store)
        uses = GrantUses("\(directory)/grants.uses")
    }

    // MARK: Deciding

    /// What stands about a dataflow. `claimed` is the decision that a run began with.
    public func decide(
        for dataflow: Dataflow, rules: Decision = .open, claimed: Grant? = nil
    ) throws(Diagnostic) -> Decision {
        Decision.about(dataflow, basis(for: dataflow.proof, try standing(), rules, claimed))
    }

    /// Why a decision holds no more; nil while it does.
    public func end(of grant: Grant) -> ConsentReason? {
        DecisionBasis(now: clock(), hostStart: hostStart).end(of: grant)
    }

    func basis(
        for proof: AppProof, _ standing: Standing, _ rules: Decision, _ claimed: Grant?
    ) -> DecisionBasis {
        DecisionBasis(
            rules: rules, grants: proof == .claim ? standing.index : standing.provedIndex,
            uses: standing.uses.uses,
            questions: standing.content.questions, now: clock(), hostStart: hostStart, claimed: claimed)
    }

    /// All decisions, oldest first, those that hold no more among them.
    public func list() throws(Diagnostic) -> [Grant] { try standing().settled.grants }

    /// The decision of an id. Throws E0706 where there is none.
    public func grant(_ id: String) throws(Diagnostic) -> Grant {
        guard let grant = try list().first(where: { $0.id == id }) else { throw .noGrant(id) }
        return grant
    }

    /// Waits until every use that was counted is on the disk: before records of the ledger go that would tell of it.
    public func synchronizeUses() throws(Diagnostic) {
        try locked { (_) throws(Diagnostic) in try uses.synchronize() }
    }

    // MARK: The file

    /// What the file holds. A change that a crash interrupted is settled first: what was recorded holds.
    func standing() throws(Diagnostic) -> Standing {
        // The draft is looked for first: one that is put in place meanwhile is read from there.
        if access(draftPath, F_OK) == 0 { return try locked { $0 } }
        return try current()
    }

    /// What the files hold now, looked at anew each time.
    func current() throws(Diagnostic) -> Standing {
        var generation: String?
        while true {
            var standing =
                try file.value { (bytes) throws(Diagnostic) in Standing(try parse(bytes, path)) }
                ?? Standing()
            let used = try uses.content()
            if used.generation == standing.content.generation ?? "" {
                standing.uses = used
                return standing
            }
            // Uses of another file: an earlier one, or the one that took the place of this one a moment ago.
            let own = standing.content.generation ?? ""
            if own == generation { return standing }
            generation = own
        }
    }

    private func parse(_ bytes: [UInt8], _ path: String) throws(Diagnostic) -> GrantFile.Content {
        do {
            return try GrantFile.read(bytes)
        } catch {
            throw Diagnostic(
                .grantsUnreadable, "the grants cannot be read: \(error.impersonalMessage)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                notes: ["nothing runs until they can be: a decision of yours may be a denial"],
                help: "restore the file from a backup; without it every dataflow is asked about anew")
        }
    }

    /// Does something while nobody else changes the decisions or counts a use.
    func locked<Result>(
        _ body: (Standing) throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        try settleDraft()
        return try body(try current())
    }

    /// The same, for a change: with the decisions and all their uses.
    func holding<Result>(
        _ body: (inout GrantFile.Content) throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        try locked { (standing) throws(Diagnostic) in
            var content = standing.settled
            return try body(&content)
        }
    }

    /// Completes or drops what a crash left. The lock is held: nobody is still at it.
    private func settleDraft() throws(Diagnostic) {
        guard let bytes = try draft.read() else { return }
        let change = try parse(bytes, draftPath).change ?? ""
        let isRecorded = try journal.hasRecord(of: change)
        if isRecorded { try putInPlace() } else { unlink(draftPath) }
        try journal.recordRepair(of: change, wasCompleted: isRecorded)
    }

    private func putInPlace() throws(Diagnostic) {
        guard rename(draftPath, path) == 0 else {
            throw Diagnostic(
                .ownFault, "\(path) cannot be replaced: \(String(cString: strerror(errno)))",
                help: "the change is recorded, and is completed at the next command")
        }
        try SecureFile.synchronizeFolder(SecureFile.parent(of: path))
    }

    /// Makes a change hold: beside the file, in the ledger, in the file's place, in this order. What fails after the
    /// first step is settled by whoever comes next.
    func commit(
        _ content: GrantFile.Content, _ change: GrantChange, undo: GrantUndo? = nil
    ) throws(Diagnostic) {
        // A backup that is put back only ever takes away, or the home would hold more than was decided.
        if change.action != .restored { try allowsChange() }
        var content = content
        content.change = change.id
        content.undo = undo
        try put(content, into: draft, leaving: change.action.adds ? GrantFile.room : 0)
        try journal.record(change)
        try putInPlace()
    }

    /// Replaces the file where nothing was decided: for questions, and for uses that go into it.
    func write(_ content: GrantFile.Content) throws(Diagnostic) {
        try put(content, into: store, leaving: 0)
    }

    /// Writes decisions, with as many bytes left as are asked for. Questions are kept as far as there is room.
    private func put(
        _ content: GrantFile.Content, into store: StoreFile, leaving room: Int
    ) throws(Diagnostic) {
        var content = content
        // Its uses are in it: lines about the file before do not count for it.
        content.generation = GrantFile.newName("u-")
        let now = clock()
        content.questions = content.questions.filter { $0.isRecent(at: now) }.suffix(
            GrantFile.maximumQuestions)
        guard content.grants.count <= GrantFile.maximumGrants else {
            throw Diagnostic(
                .tooManyGrants,
                "there would be \(content.grants.count) grants, no more than \(GrantFile.maximumGrants) are kept",
                help: "revoke some: escrow grant list, escrow grant revoke ID")
        }
        var bytes = GrantFile.bytes(content)
        while bytes.count > store.limit - room, !content.questions.isEmpty {
            content.questions.removeFirst((content.questions.count + 1) / 2)
            bytes = GrantFile.bytes(content)
        }
        // Better no way back than no decision.
        if bytes.count > store.limit - room, content.undo != nil {
            content.undo = nil
            bytes = GrantFile.bytes(content)
        }
        guard bytes.count <= store.limit - room else {
            throw Diagnostic(
                .tooManyGrants, "the grants would take \(bytes.count) bytes, no more are kept",
                help: "revoke some: escrow grant list, escrow grant revoke ID")
        }
        try store.replace(with: bytes) { (bytes) throws(Diagnostic) in _ = try parse(bytes, store.path) }
    }
}

extension Diagnostic {
    static func noGrant(_ id: String) -> Diagnostic {
        Diagnostic(
            .noSuchGrant, "there is no grant \(PlainText.neutral(id, longest: 64))",
            help: "see which there are: escrow grant list")
    }
}
