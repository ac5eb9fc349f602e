internal import EscrowShareWire

/// What a method and a path ask for.
enum Route: Equatable {
    case begin
    case end(group: String)
    case admit(group: String)
    case expel(group: String, node: String)
    case take(group: String, message: String)
    case list(group: String, after: Int64)

    init?(_ request: ShareRequest) {
        guard request.path.first == "/", request.path.utf8.count <= 256 else { return nil }
        let parts = request.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.first == "groups", parts.dropFirst().allSatisfy({ ShareName.isPart($0) }) else {
            return nil
        }
        switch (request.method, parts.count, parts.count > 2 ? parts[2] : "") {
        case (.post, 1, _): self = .begin
        case (.delete, 2, _): self = .end(group: parts[1])
        case (.post, 3, "members"): self = .admit(group: parts[1])
        case (.delete, 4, "members"): self = .expel(group: parts[1], node: parts[3])
        case (.put, 4, "shares"): self = .take(group: parts[1], message: parts[3])
        case (.get, 3, "shares"):
            guard let after = Int64(request.after ?? "0"), after >= 0 else { return nil }
            self = .list(group: parts[1], after: after)
        default: return nil
        }
    }

    /// Whose group it is about; none when one begins.
    var group: String? {
        switch self {
        case .begin: nil
        case .end(let group), .admit(let group), .expel(let group, _), .take(let group, _),
            .list(let group, _):
            group
        }
    }

    /// Whether it is the owner's alone.
    var needsMaster: Bool {
        switch self {
        case .end, .admit, .expel: true
        case .begin, .take, .list: false
        }
    }
}
