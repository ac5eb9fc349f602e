public import EscrowDiagnostics

/// A request on its way in. Its body comes in pieces, which are held while its sender may have them held.
public struct Arrival: Sendable {
    var request: ShareRequest
    let limit: Int
    let began: Int64
    /// What it is answered in place of what it asks for.
    public internal(set) var refusal: UInt32?
    /// Whose one long upload it is; nil for a short body, which is not counted.
    var sender: [UInt8]?
    var pieces: [[UInt8]] = []
    var held = 0
    /// What of it, and of a long answer, is counted.
    var counted = 0
    var came = 0

    /// Shorter ones are always taken: connections limit how many there are, and what members say every day is among them.
    static let short = 64 << 10
    /// How much of what is refused is listened to, beside its limit, so that its sender hears the answer.
    static let listened = 1 << 20

    public init(_ request: ShareRequest, limit: Int, at now: Int64, refusal: UInt32? = nil) {
        self.request = request
        self.limit = limit
        self.refusal = refusal
        began = now
    }

    var isShort: Bool { request.length.map { $0 <= Self.short } ?? false }
}

/// What the long bodies and answers that are on their way hold.
struct Arrivals {
    private let most: Int
    private var held = 0
    private var byAddress: [String: Int] = [:]
    private var senders: Set<[UInt8]> = []

    init(most: Int) { self.most = most }

    /// One long upload for each key at a time.
    mutating func begin(_ sender: [UInt8]) -> Bool { senders.insert(sender).inserted }

    /// A quarter of all is one address's, so that one alone keeps nobody from uploading.
    mutating func hold(_ count: Int, for address: String?) -> Bool {
        guard held + count <= most else { return false }
        if let address {
            let own = byAddress[address, default: 0] + count
            guard own <= most / 4 else { return false }
            byAddress[address] = own
        }
        held += count
        return true
    }

    mutating func end(_ arrival: Arrival) {
        if let sender = arrival.sender { senders.remove(sender) }
        held -= arrival.counted
        guard let address = arrival.request.address, let own = byAddress[address] else { return }
        byAddress[address] = own > arrival.counted ? own - arrival.counted : nil
    }
}

extension ShareService {
    /// What is known of a request by its head: a stranger's body is not held, nor one that is too long by its own words.
    public func arrive(_ request: ShareRequest, at now: Int64) throws(Diagnostic) -> Arrival {
        let limit = try bodyLimit(request)
        var arrival = Arrival(request, limit: limit, at: now)
        guard case .take = Route(request) else { return arrival }
        if limit == 0 {
            arrival.refusal = 401
        } else if let length = request.length, length > limit {
            arrival.refusal = 413
        } else if !arrival.isShort {
            let sender = Self.digest(request.key ?? "")
            if arrivals.begin(sender) { arrival.sender = sender } else { arrival.refusal = 429 }
        }
        return arrival
    }

    /// Takes a piece of its body. False where nobody listens any longer: it came too slowly, or far too much came.
    public func take(_ piece: [UInt8], of arrival: inout Arrival, at now: Int64) -> Bool {
        guard now - arrival.began < limits.requestTime else { return false }
        arrival.came += piece.count
        guard arrival.refusal == nil else {
            return arrival.came <= 2 * max(arrival.limit, Arrival.listened)
        }
        let limit = arrival.isShort ? min(arrival.limit, Arrival.short) : arrival.limit
        guard arrival.held + piece.count <= limit else {
            refuse(&arrival, 413)
            return true
        }
        guard arrival.isShort || count(piece.count, of: &arrival) else {
            refuse(&arrival, 429)
            return true
        }
        arrival.held += piece.count
        arrival.pieces.append(piece)
        return true
    }

    private func count(_ bytes: Int, of arrival: inout Arrival) -> Bool {
        guard arrivals.hold(bytes, for: arrival.request.address) else { return false }
        arrival.counted += bytes
        return true
    }

    private func refuse(_ arrival: inout Arrival, _ status: UInt32) {
        leave(arrival)
        arrival.refusal = status
        arrival.sender = nil
        arrival.pieces = []
        arrival.held = 0
        arrival.counted = 0
    }

    /// When all of it is there.
    public func answer(_ arrival: inout Arrival, at now: Int64) throws(Diagnostic) -> ShareAnswer {
        if let refusal = arrival.refusal { return ShareAnswer(status: refusal) }
        arrival.request.body.reserveCapacity(arrival.held)
        for piece in arrival.pieces { arrival.request.body += piece }
        arrival.pieces = []
        let answer = try answer(arrival.request, at: now)
        // Who asks for a long one and takes it slowly holds memory, too.
        let isHeld = answer.body.count <= Arrival.short || count(answer.body.count, of: &arrival)
        return isHeld ? answer : ShareAnswer(status: 429)
    }

    /// It was answered, or its connection broke.
    public func leave(_ arrival: Arrival) { arrivals.end(arrival) }
}
