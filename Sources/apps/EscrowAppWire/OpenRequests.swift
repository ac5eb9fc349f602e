/// The host's book of open requests: an id is open from its line to its answer, and is no other's meanwhile.
public struct OpenRequests: Sendable {
    private var ids: Set<Int64> = []

    /// An empty book.
    public init() {}

    /// How many are open.
    public var count: Int { ids.count }

    /// Opens a request.
    ///
    /// - Throws: `badID` without an id when it is open already, since an answer would be taken for the other's;
    ///   `tooManyOpen` with the id.
    public mutating func open(_ id: Int64) throws(AppWireError) {
        guard !ids.contains(id) else { throw AppWireError(.badID) }
        guard ids.count < AppWire.openCap else { throw AppWireError(.tooManyOpen, id: id) }
        ids.insert(id)
    }

    /// Notes that a request was answered; false if it was not open, so that it is never answered twice.
    public mutating func close(_ id: Int64) -> Bool { ids.remove(id) != nil }
}
