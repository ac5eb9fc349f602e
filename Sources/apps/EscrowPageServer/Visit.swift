import EscrowPage
import Synchronization

/// What requests find: the door and, behind it, the desk. Both are there once the port is known.
final class Room: Sendable {
    private let inside = Mutex<(door: Door, desk: PageDesk)?>(nil)

    func open(_ door: Door, _ desk: PageDesk) { inside.withLock { $0 = (door, desk) } }

    var current: (door: Door, desk: PageDesk)? { inside.withLock { $0 } }
}

/// A request on its way in. It is judged by its head: a stranger's body is not kept.
final class Visit {
    private let room: (door: Door, desk: PageDesk)?
    private let caller: Door.Caller
    private let verdict: Door.Verdict
    private let search: String
    private let before: UInt64?
    private var body: [UInt8] = []
    private var isTooLong = false

    init(_ room: Room, _ caller: Door.Caller, search: String, before: UInt64?) {
        self.room = room.current
        self.caller = caller
        self.search = search
        self.before = before
        verdict = self.room?.door.judge(caller) ?? .refused(.otherHost)
    }

    func take(_ bytes: UnsafeBufferPointer<CChar>) {
        guard verdict == .admitted, !isTooLong, body.count + bytes.count <= FormBody.maximumBytes else {
            isTooLong = true
            body = []
            return
        }
        body.append(contentsOf: bytes.lazy.map { UInt8(bitPattern: $0) })
    }

    var answer: PageAnswer {
        guard let room else { return .refused(.otherHost) }
        switch verdict {
        case .refused(let refusal): return .refused(refusal)
        case .open: return PageAnswer.open[caller.path] ?? .refused(.unknown)
        case .welcome(let cookie):
            var answer = PageAnswer.see(Address("/"))
            answer.headers.append(
                ("Set-Cookie", "\(Door.cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Strict"))
            return answer
        case .admitted:
            guard caller.method == "POST" else {
                return room.desk.look(at: caller.path, search: search, before: before)
            }
            guard !isTooLong, let form = FormBody(body) else { return .refused(.noForm) }
            guard room.door.isOurs(form["proof"]) else { return .refused(.otherSite) }
            return room.desk.act(at: caller.path, form)
        }
    }
}
