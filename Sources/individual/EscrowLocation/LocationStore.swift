public import EscrowDiagnostics
import EscrowFiles
import EscrowHashing
import EscrowJSON
public import EscrowLocationPrivacy

/// What the individual wants told of their places, in `location.json` of a home. Each call reads the file anew.
///
/// A file that cannot be read may forbid: E1180, and nothing is told.
public struct LocationStore: Sendable {
    private let store: StoreFile
    private let lockPath: String
    let directory: String

    /// Names the home's folder.
    public init(directory: String) {
        self.directory = directory
        store = StoreFile(
            "\(directory)/location.json", limit: LocationFile.maximumBytes,
            help: "remove rules: escrow location rule list, escrow location rule remove ID")
        lockPath = "\(directory)/location.lock"
    }

    /// The rules.
    public func rules() throws(Diagnostic) -> [LocationRule] { try file()?.knownRules ?? [] }

    /// The rules, and the noise of an app. The secret is made when it is first asked for.
    public func masks(of app: String) throws(Diagnostic) -> (rules: [LocationRule], key: MaskKey) {
        var known = try file()
        if known == nil { known = try change { (file) in file } }
        guard let file = known else { throw Diagnostic(.ownFault, "the rules about places were not made") }
        return (file.knownRules, file.key(of: app))
    }

    /// Adds a rule under the smallest number that is free; gives it as it is kept.
    public func add(_ rule: LocationRule) throws(Diagnostic) -> LocationRule {
        let file = try change { (file) throws(Diagnostic) in
            guard file.rules.count < LocationFile.mostRules else {
                throw Diagnostic(
                    .locationRuleInvalid, "there are \(file.rules.count) rules already, no more are kept",
                    help: "remove one: escrow location rule remove ID")
            }
            if let list = rule.exactness.list, !file.lists.contains(where: { $0.name == list }) {
                throw .noSuchPlaceList(list)
            }
            var rule = rule
            let names = Set(file.rules.map(\.id))
            rule.id = (1...).lazy.map(String.init).first { !names.contains($0) } ?? ""
            file.rules.append(rule)
            return file
        }
        return file.knownRules[file.rules.count - 1]
    }

    /// Removes a rule: E1182 where there is none of that name.
    @discardableResult
    public func remove(_ id: String) throws(Diagnostic) -> LocationRule {
        var removed: LocationRule?
        _ = try change { (file) throws(Diagnostic) in
            guard let index = file.rules.firstIndex(where: { $0.id == id }) else {
                throw Diagnostic(
                    .noSuchLocationRule, "there is no such rule about places",
                    help: "see which there are: escrow location rule list")
            }
            removed = file.rules.remove(at: index)
            return file
        }
        guard let removed else { throw Diagnostic(.ownFault, "a rule about places was not removed") }
        return removed
    }

    /// Draws other noise for every app: the answers from before and from then on have nothing in common but the truth.
    public func resetNoise() throws(Diagnostic) {
        _ = try change { (file) in
            file.secret = SipHash()
            return file
        }
    }

    func file() throws(Diagnostic) -> LocationFile? {
        try store.read().map { (bytes) throws(Diagnostic) in try parse(bytes) }
    }

    private func parse(_ bytes: [UInt8]) throws(Diagnostic) -> LocationFile {
        do { return try LocationFile(bytes) } catch {
            throw Diagnostic(
                .locationRulesUnreadable, "the rules about places cannot be read: \(error.impersonalMessage)",
                at: .init(file: store.path, line: error.position.line, column: error.position.column),
                notes: ["nothing is told of any place: what cannot be read may forbid it"],
                help: "restore the file from a backup, or remove it and add your rules anew")
        }
    }

    func change(
        _ body: (inout LocationFile) throws(Diagnostic) -> LocationFile
    ) throws(Diagnostic) -> LocationFile {
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        var file = try file() ?? LocationFile()
        let changed = try body(&file)
        try store.replace(with: changed.bytes) { (bytes) throws(Diagnostic) in _ = try parse(bytes) }
        return changed
    }
}
