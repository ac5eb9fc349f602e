internal import Glibc

/// The owner's side of a door: hears many guests at once, and lets in who knows the code. Who says nothing, or speaks a byte now
/// and then, keeps nobody else waiting.
public final class Reception {
    /// What one guest's part of the exchange takes, in bytes: a point and a proof, each with its length.
    private static let needed = 4 + 33 + 4 + 32
    /// How many are heard at once. One more takes the place of who has been there longest: who knows the code needs no longer
    /// than two ways over the network.
    private static let most = 256

    private struct Guest {
        let socket: NearSocket
        let exchange: PasswordExchange
        let end: ContinuousClock.Instant
    }

    private let listener: NearListener
    private let code: String
    private let end: ContinuousClock.Instant
    private let patience: Duration
    private let tries: Int
    private var guests: [Guest] = []
    /// How many wrong codes were shown. Who went away or spoke something else tried none.
    public private(set) var wrong = 0

    /// - Parameters:
    ///   - end: until when somebody is waited for.
    ///   - patience: how long one guest's key exchange may take in all.
    ///   - tries: how many wrong codes end it.
    public init(
        at listener: NearListener, code: String, until end: ContinuousClock.Instant,
        patience: Duration = .seconds(10), tries: Int = 3
    ) {
        self.listener = listener
        self.code = code
        self.end = end
        self.patience = patience
        self.tries = tries
    }

    /// The next who knows the code. What else is said with them has the same patience, until more is allowed.
    ///
    /// - Parameter onWrongCode: called for each wrong code.
    public func next(onWrongCode: () -> Void = {}) throws(MeetingError) -> (
        meeting: Meeting, socket: NearSocket
    ) {
        while wrong < tries {
            let now = ContinuousClock.now
            guard now < end else { throw .nobodyCame }
            guests.removeAll { $0.end <= now }
            var waiting = ([listener.descriptor] + guests.map(\.socket.descriptor)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let until = guests.reduce(end) { min($0, $1.end) }
            guard poll(&waiting, nfds_t(waiting.count), until.milliseconds) > 0 else { continue }
            for (guest, state) in zip(guests, waiting.dropFirst())
            where state.revents != 0 && wrong < tries {
                do throws(MeetingError) {
                    // All of it is there before any of it is read, so nothing here waits.
                    guard try guest.socket.holds(Self.needed) else { continue }
                    let meeting = try Meeting(.owner, over: guest.socket, begun: guest.exchange)
                    leave(guest)
                    guest.socket.limit(to: min(end, .now + patience))
                    return (meeting, guest.socket)
                } catch .wrongCode {
                    wrong += 1
                    onWrongCode()
                } catch {}
                leave(guest)
            }
            if waiting[0].revents != 0 { try welcome() }
        }
        throw .tooManyTries
    }

    /// Takes a new guest, and speaks first.
    private func welcome() throws(MeetingError) {
        guard let socket = listener.accept(within: 0) else { return }
        let exchange = try Meeting.exchange(.owner, code: code)
        let last = min(end, .now + patience)
        socket.limit(to: last)
        // It fits into what the kernel holds for a new connection.
        guard (try? socket.send(exchange.message)) != nil else { return }
        if guests.count == Self.most { guests.removeFirst() }
        guests.append(Guest(socket: socket, exchange: exchange, end: last))
    }

    private func leave(_ guest: Guest) { guests.removeAll { $0.socket === guest.socket } }
}
