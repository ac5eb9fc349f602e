import Synchronization
import Testing

@testable import EscrowPageServer

/// Who is let in: one browser, by one name, with one token for so long.
@Suite struct DoorTests {
    private final class Clock: Sendable {
        let now = Mutex<Int64>(0)
    }

    private let clock = Clock()
    private let door: Door

    init() {
        let clock = clock
        door = Door(name: "escrow-0.localhost", port: 4321, clock: { clock.now.withLock { $0 } })
    }

    private func caller(_ method: String, _ path: String, cookie: String? = nil) -> Door.Caller {
        var caller = Door.Caller()
        caller.method = method
        caller.path = path
        caller.host = "escrow-0.localhost:4321"
        caller.cookie = cookie
        return caller
    }

    private func entering(_ token: String) -> Door.Caller {
        var caller = caller("GET", "/begin")
        caller.token = token
        return caller
    }

    /// The cookie of the browser that was let in.
    private func cookie() throws -> String {
        guard case .welcome(let cookie) = door.judge(entering(door.token)) else {
            throw Refused()
        }
        return cookie
    }

    private struct Refused: Error {}

    @Test func theTokenLetsOneBrowserInOnce() throws {
        let cookie = try cookie()
        #expect(door.judge(caller("GET", "/", cookie: cookie)) == .admitted)
        #expect(door.judge(entering(door.token)) == .refused(.usedUp))
        #expect(cookie != door.token && cookie != door.proof && cookie.utf8.count == 32)
        #expect(!door.entrance.contains(cookie))
    }

    @Test func theTokenEnds() {
        clock.now.withLock { $0 = Door.tokenSeconds }
        #expect(door.judge(entering(door.token)) == .refused(.usedUp))
    }

    @Test func aWrongTokenUsesNothingUp() {
        for token in [
            "", "0", String(door.token.dropLast()), door.token + "0", String(door.token.reversed()) + "x",
        ] {
            #expect(door.judge(entering(token)) == .refused(.unknown))
        }
        #expect(door.judge(entering(door.token)) != .refused(.usedUp))
    }

    @Test(arguments: [
        nil, "", "127.0.0.1:4321", "localhost:4321", "escrow-0.localhost", "escrow-0.localhost:4322",
        "attacker.example:4321", "escrow-0.localhost:4321.attacker.example", "ESCROW-0.localhost:4321",
    ])
    func anotherNameIsRefusedWhateverElseIsRight(_ host: String?) throws {
        var caller = caller("GET", "/", cookie: try cookie())
        caller.host = host
        #expect(door.judge(caller) == .refused(.otherHost))
        caller.path = "/style.css"
        #expect(door.judge(caller) == .refused(.otherHost))
    }

    @Test(arguments: ["cross-site", "same-site", "other"])
    func whatAnotherSiteLeadsToIsRefused(_ site: String) throws {
        var caller = caller("GET", "/", cookie: try cookie())
        caller.site = site
        #expect(door.judge(caller) == .refused(.otherSite))
    }

    @Test(arguments: [
        nil, "null", "", "http://attacker.example", "https://escrow-0.localhost:4321",
        "http://escrow-0.localhost:80",
    ])
    func aFormOfAnotherOriginIsRefused(_ origin: String?) throws {
        var caller = caller("POST", "/answer", cookie: try cookie())
        caller.contentType = "application/x-www-form-urlencoded"
        caller.origin = origin
        #expect(door.judge(caller) == .refused(.otherSite))
        caller.origin = door.origin
        #expect(door.judge(caller) == .admitted)
    }

    @Test func aFormThatASiteCouldSendWithoutAskingIsRefused() throws {
        var caller = caller("POST", "/answer", cookie: try cookie())
        caller.origin = door.origin
        for type in [nil, "text/plain", "multipart/form-data; boundary=x", "application/json"] {
            caller.contentType = type
            #expect(door.judge(caller) == .refused(.noForm))
        }
    }

    @Test func onlyOurOwnFormsCarryTheProof() {
        #expect(door.isOurs(door.proof) && !door.isOurs(nil) && !door.isOurs("") && !door.isOurs(door.token))
    }

    @Test func whatAnybodyMayHaveTellsNothing() {
        for path in ["/style.css", "/script.js", "/icon.svg"] {
            #expect(door.judge(caller("GET", path)) == .open)
            #expect(door.judge(caller("POST", path)) != .open)
        }
        #expect(door.judge(caller("GET", "/")) == .refused(.unknown))
        #expect(door.judge(caller("DELETE", "/style.css")) == .refused(.noSuchMethod))
    }
}
