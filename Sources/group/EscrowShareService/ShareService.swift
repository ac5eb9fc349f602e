internal import Crypto
public import EscrowDiagnostics
internal import EscrowJSON
internal import EscrowShareWire
internal import FoundationEssentials

/// A share server without its network: requests in, answers out, and a store. It is told the time, in milliseconds. A share is in
/// no answer from its time on, and in no file from the next ``sweep(at:)`` on.
public final class ShareService {
    let store: any ShareStore
    let limits: ShareLimits
    var arrivals: Arrivals
    private var allowance: Allowance
    private var foundings: Allowance
    /// When each group's last use was written down, and when unused ones were looked for.
    private var used: [String: Int64] = [:]
    private var looked: Int64?
    private static let hour: Int64 = 3_600_000

    public init(_ store: any ShareStore, limits: ShareLimits = ShareLimits()) {
        self.store = store
        self.limits = limits
        allowance = Allowance(rate: limits.rate, burst: limits.burst)
        foundings = Allowance(rate: limits.foundings / (4 * 86_400), burst: limits.foundings)
        arrivals = Arrivals(most: limits.bodiesBytes)
    }

    /// With a SQLite file.
    public convenience init(_ path: String, limits: ShareLimits = ShareLimits()) throws(Diagnostic) {
        self.init(try FileStore(path), limits: limits)
    }

    /// How many bytes of a request's body are taken: none of a stranger's beyond what begins a group.
    public func bodyLimit(_ request: ShareRequest) throws(Diagnostic) -> Int {
        guard let route = Route(request) else { return 0 }
        switch route {
        case .begin, .admit: return 1024
        case .take(let group, _): return try node(of: request.key, in: group) == nil ? 0 : limits.shareBytes
        case .end, .expel, .list: return 0
        }
    }

    public func answer(_ request: ShareRequest, at now: Int64) throws(Diagnostic) -> ShareAnswer {
        guard let route = Route(request) else { return ShareAnswer(status: 404) }
        guard let group = route.group else { return try begin(request, at: now) }
        // Whether there is such a group is not a stranger's to know.
        let node: String?
        if route.needsMaster {
            node = try isMaster(request.key, of: group) ? "" : nil
        } else {
            node = try self.node(of: request.key, in: group)
        }
        guard let node else { return ShareAnswer(status: 401) }
        guard allowance.take("\(group)/\(node)", at: now) else { return ShareAnswer(status: 429) }
        note(group, at: now)
        switch route {
        case .begin: return ShareAnswer(status: 404)
        case .end:
            try store.end(group)
            return ShareAnswer(status: 204)
        case .admit: return try admit(request.body, to: group)
        case .expel(_, let node):
            try store.expel(node, from: group)
            return ShareAnswer(status: 204)
        case .take(_, let message):
            return try take(request.body, message, of: node, in: group, at: now)
        case .list(_, let after): return try list(group, after: after, for: node, at: now)
        }
    }

    /// Deletes what is due, so that nothing of it is in any file of the store.
    /// Each hour groups that nobody uses go, too.
    public func sweep(at now: Int64) throws(Diagnostic) {
        try store.sweep(at: now)
        guard isOld(looked, at: now) else { return }
        try store.letGo(at: now, least: limits.unusedTime)
        looked = now
        used = used.filter { !isOld($0.value, at: now) }
    }

    /// A group is in use: written down once an hour.
    private func note(_ group: String, at now: Int64) {
        // A disk that is full keeps nobody from reading.
        guard isOld(used[group], at: now), (try? store.use(group, at: now)) != nil else { return }
        used[group] = now
    }

    /// The clock may have been put back.
    private func isOld(_ time: Int64?, at now: Int64) -> Bool {
        time.map { abs(now - $0) >= Self.hour } ?? true
    }

    // MARK: Groups and members

    private func begin(_ request: ShareRequest, at now: Int64) throws(Diagnostic) -> ShareAnswer {
        guard let opening = try? Opening(request.body), ShareName.isPart(opening.group),
            ShareName.isPart(opening.node), limits.timeToLive.contains(opening.timeToLive)
        else { return ShareAnswer(status: 400) }
        // Without a key: each address has its own allowance, so that nobody uses up another's.
        guard foundings.take(request.address ?? "", at: now) else { return ShareAnswer(status: 429) }
        guard try store.groups() < limits.groups else { return ShareAnswer(status: 507) }
        let keys = AccessKeys(access: Self.newKey(), master: Self.newKey())
        let isNew = try store.begin(
            opening.group, owner: opening.node, timeToLive: opening.timeToLive,
            master: Self.digest(keys.master ?? ""), access: Self.digest(keys.access))
        guard isNew else { return ShareAnswer(status: 409) }
        note(opening.group, at: now)
        return ShareAnswer(status: 201, body: keys.bytes)
    }

    /// A node that is there already gets a new key, and loses the old one.
    private func admit(_ body: [UInt8], to group: String) throws(Diagnostic) -> ShareAnswer {
        let node = String(decoding: body, as: UTF8.self)
        guard ShareName.isPart(node) else { return ShareAnswer(status: 400) }
        guard try store.members(of: group) < limits.members else { return ShareAnswer(status: 507) }
        let keys = AccessKeys(access: Self.newKey())
        try store.admit(node, to: group, access: Self.digest(keys.access))
        return ShareAnswer(status: 201, body: keys.bytes)
    }

    private func isMaster(_ key: String?, of group: String) throws(Diagnostic) -> Bool {
        guard let key else { return false }
        return try store.isMaster(Self.digest(key), of: group)
    }

    private func node(of key: String?, in group: String) throws(Diagnostic) -> String? {
        guard let key else { return nil }
        return try store.node(of: Self.digest(key), in: group)
    }

    /// What is kept of a key: enough to know it again.
    static func digest(_ key: String) -> [UInt8] { Array(SHA256.hash(data: Array(key.utf8))) }

    private static func newKey() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Base64.encode(Array($0)) }
    }

    // MARK: Shares

    /// The same share once more is taken once; another one under its name is not.
    private func take(_ bytes: [UInt8], _ message: String, of node: String, in group: String, at now: Int64)
        throws(Diagnostic) -> ShareAnswer
    {
        guard !bytes.isEmpty else { return ShareAnswer(status: 400) }
        guard bytes.count <= limits.shareBytes else { return ShareAnswer(status: 413) }
        let share = NewShare(group: group, message: message, node: node, bytes: bytes, at: now)
        let quota = ShareQuota(
            group: limits.groupBytes, member: Int64(limits.shareBytes),
            total: limits.totalBytes ?? store.capacity)
        switch try store.put(share, atMost: quota) {
        case .kept: return ShareAnswer(status: 201)
        case .there: return ShareAnswer(status: 200)
        case .taken: return ShareAnswer(status: 409)
        case .full: return ShareAnswer(status: 507)
        }
    }

    /// Shares of others that are not due, in the order in which they came.
    private func list(_ group: String, after: Int64, for node: String, at now: Int64) throws(Diagnostic)
        -> ShareAnswer
    {
        let found = try store.shares(
            of: group, after: after, for: node, at: now, atMost: limits.listingBytes)
        let entries = found.entries.map { ShareListing.Entry(message: $0.message, bytes: $0.bytes) }
        return ShareAnswer(
            status: 200, body: ShareListing(store: store.name, next: found.next, entries: entries).bytes)
    }
}
