public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc

/// The individual's standing decisions, in `grants.json` of a folder.
///
/// Every entry point asks `decide(for:)`, and nothing else decides. Each call reads the file anew, so a grant that is
/// revoked is gone for the very next run of any process.
public struct GrantStore: Sendable {
    private let path: String
    private let lockPath: String

    /// Names the folder; the file is made with the first decision.
    public init(directory: String) {
        path = "\(directory)/grants.json"
        lockPath = "\(directory)/grants.lock"
    }

    /// What stands about a dataflow.
    public func decide(for description: DataflowDescription) throws(Diagnostic) -> Decision {
        Decision.about(description, among: try list())
    }

    /// A grant for one run, which is stored nowhere.
    public func once(for description: DataflowDescription) -> Grant {
        Grant(.authorized, .once, .prompt, for: description, at: Self.now())
    }

    /// Allows a dataflow from now on. A denial of the same dataflow is taken back.
    @discardableResult
    public func allow(
        _ description: DataflowDescription, reason: Grant.Reason, budget: EgressBudget? = nil
    ) throws(Diagnostic) -> Grant {
        try settle(
            Grant(.authorized, .always, reason, for: description, budget: budget, at: Self.now()), description
        )
    }

    /// Denies a dataflow from now on, and every one that takes it in. A grant of the same dataflow is taken back.
    @discardableResult
    public func deny(_ description: DataflowDescription, reason: Grant.Reason) throws(Diagnostic) -> Grant {
        try settle(Grant(.denied, .never, reason, for: description, at: Self.now()), description)
    }

    /// Notes that a run used a grant; one that was carried over is from now on a grant for the manifest that ran.
    public func noteUse(_ grant: Grant, by description: DataflowDescription) throws(Diagnostic) {
        guard grant.scope == .always else { return }
        try change { (grants) throws(Diagnostic) in
            guard let index = grants.firstIndex(where: { $0.id == grant.id }) else { return }
            grants[index].lastUsedAt = Self.now()
            grants[index].useCount = min(grants[index].useCount, Int.max - 1) + 1
            grants[index].manifestDigest = description.plugin.manifestDigest
            grants[index].version = description.plugin.version
        }
    }

    /// Takes a decision back: its dataflow is undecided again.
    @discardableResult
    public func revoke(_ id: String) throws(Diagnostic) -> Grant {
        try change { (grants) throws(Diagnostic) in
            guard let index = grants.firstIndex(where: { $0.id == id }) else {
                throw Diagnostic(
                    "E0706", "there is no grant \(PlainText.neutral(id, longest: 64))",
                    help: "see which there are: escrow grant list")
            }
            return grants.remove(at: index)
        }
    }

    /// All decisions, oldest first.
    public func list() throws(Diagnostic) -> [Grant] {
        guard let bytes = try SecureFile.readIfPresent(path, limit: GrantFile.maximumBytes) else { return [] }
        do {
            return try GrantFile.read(bytes)
        } catch {
            throw Diagnostic(
                "E0705", "the grants cannot be read: \(error.impersonalMessage)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                notes: ["nothing runs until they can be: a decision of yours may be a denial"],
                help: "restore the file from a backup; without it every dataflow is asked about anew")
        }
    }

    private func settle(_ grant: Grant, _ description: DataflowDescription) throws(Diagnostic) -> Grant {
        guard DataflowDescription.isAppID(grant.app) else {
            throw Diagnostic(
                "E0704", "a decision that lasts needs an app with an id such as org.example.notes",
                notes: ["programs without a name of their own must not share one decision"],
                help: "decide once, or name the app: --app ID")
        }
        return try change { (grants) throws(Diagnostic) in
            grants.removeAll {
                let isSame = $0.app == grant.app && $0.plugin == grant.plugin && $0.target == grant.target
                guard isSame else { return false }
                // Allowing: denials that would win over it go, and grants that it covers. Denying: grants within it.
                if $0.state == .denied {
                    return grant.state == .authorized ? $0.forbids(description) : $0.reads == grant.reads
                }
                return grant.state == .authorized
                    ? $0.reads == grant.reads : $0.differences(to: description).isEmpty
            }
            guard grants.count < GrantFile.maximumGrants else {
                throw Diagnostic(
                    "E0707", "there are \(grants.count) grants already, no more are kept",
                    help: "revoke some: escrow grant list, escrow grant revoke ID")
            }
            grants.append(grant)
            return grant
        }
    }

    private func change<Result>(
        _ body: (inout [Grant]) throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        var grants = try list()
        let result = try body(&grants)
        let bytes = GrantFile.bytes(grants)
        guard bytes.count <= GrantFile.maximumBytes else {
            throw Diagnostic(
                "E0707", "the grants would take \(bytes.count) bytes, no more are kept",
                help: "revoke some: escrow grant list, escrow grant revoke ID")
        }
        try SecureFile.replace(path, with: bytes)
        return result
    }

    /// Now, RFC 3339 UTC, to the second.
    private static func now() -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
