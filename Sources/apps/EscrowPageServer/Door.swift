import Glibc
import Synchronization

/// Who may come in: one browser, which showed the token that `escrow page` gave out, once, and since then shows a cookie.
///
/// Names are compared, not addresses: a site that has its own name lead to this machine (DNS rebinding) sends that name as Host,
/// and another site's form sends its own as Origin.
final class Door: Sendable {
    /// What a browser says of a request before its body.
    struct Caller {
        var method = ""
        var path = ""
        var host: String?
        var origin: String?
        /// `Sec-Fetch-Site`: what the browser itself says about who asks.
        var site: String?
        var cookie: String?
        var contentType: String?
        var token: String?
    }

    enum Verdict: Equatable {
        /// It is the individual's browser.
        case admitted
        /// The token was right: from now on this cookie counts.
        case welcome(cookie: String)
        /// What anybody may have: how the pages look.
        case open
        case refused(Refusal)
    }

    enum Refusal: Int, Equatable {
        case otherHost = 421
        case otherSite = 403
        case unknown = 401
        case noSuchMethod = 405
        case noForm = 415
        case usedUp = 410
    }

    static let cookieName = "escrow-page"
    /// How long the token can be shown, in seconds.
    static let tokenSeconds: Int64 = 300

    /// `e3f1….localhost:40123`. The name is its own, so that other servers of this machine get the cookie only where they know the name;
    /// those of other users cannot use it, see ``LoopbackPeer``.
    let authority: String
    let port: UInt16
    /// What every form of ours carries.
    let proof: String
    let token: String
    private let secret: String
    private let end: Int64
    private let isUsed = Atomic(false)
    private let clock: @Sendable () -> Int64

    /// - Parameter clock: seconds that only grow.
    init(name: String, port: UInt16, clock: @escaping @Sendable () -> Int64 = Door.monotonic) {
        authority = "\(name):\(port)"
        self.port = port
        token = Self.random()
        secret = Self.random()
        proof = Self.random()
        self.clock = clock
        end = clock() + Self.tokenSeconds
    }

    var origin: String { "http://" + authority }
    /// What is opened; it works once.
    var entrance: String { "\(origin)/begin?token=\(token)" }

    func judge(_ caller: Caller) -> Verdict {
        guard caller.host == authority else { return .refused(.otherHost) }
        guard ["GET", "HEAD", "POST"].contains(caller.method) else { return .refused(.noSuchMethod) }
        if let site = caller.site, site != "same-origin", site != "none" { return .refused(.otherSite) }
        if caller.method != "POST", PageAnswer.open[caller.path] != nil { return .open }
        if caller.path == "/begin" { return begin(caller) }
        guard let cookie = caller.cookie, Self.isSame(cookie, secret) else { return .refused(.unknown) }
        guard caller.method == "POST" else { return .admitted }
        guard caller.origin == origin else { return .refused(.otherSite) }
        guard caller.contentType == "application/x-www-form-urlencoded" else { return .refused(.noForm) }
        return .admitted
    }

    /// Whether a form is one of ours.
    func isOurs(_ shown: String?) -> Bool { shown.map { Self.isSame($0, proof) } ?? false }

    private func begin(_ caller: Caller) -> Verdict {
        guard caller.method == "GET", let shown = caller.token, Self.isSame(shown, token) else {
            return .refused(.unknown)
        }
        guard clock() < end, !isUsed.exchange(true, ordering: .sequentiallyConsistent) else {
            return .refused(.usedUp)
        }
        return .welcome(cookie: secret)
    }

    /// Takes the same time wherever they differ.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// 32 hexadecimal digits of 128 bits that nobody can guess.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    static let monotonic: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec)
    }
}
