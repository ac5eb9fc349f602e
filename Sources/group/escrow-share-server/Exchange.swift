import EscrowShareService

/// A request on its way in: its body comes in pieces.
final class Exchange {
    private let service: LockedService
    private var arrival: Arrival

    init(_ service: LockedService, _ request: ShareRequest) {
        self.service = service
        arrival = service.arrive(request)
    }

    deinit { service.leave(arrival) }

    /// What the head alone is answered, where its sender waits for that before the body.
    var refusal: ShareAnswer? { arrival.refusal.map { ShareAnswer(status: $0) } }

    /// False where nobody listens any longer.
    func take(_ bytes: UnsafeBufferPointer<CChar>) -> Bool {
        service.take(Array(UnsafeRawBufferPointer(bytes)), of: &arrival)
    }

    func answer() -> ShareAnswer { service.answer(&arrival) }
}
