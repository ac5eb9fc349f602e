import Foundation
import Glibc
import ShareServers
import TemporaryFolder
import Testing

/// Invitations by programs, with somebody in between, and removals while servers are down.
@Suite("escrow group invite and remove") struct NearProgramTests {
    let tests: OwnDevicesProgramTests
    var programs: AnswerProgramTests { tests.programs }

    init() throws { tests = try OwnDevicesProgramTests() }

    func create() throws {
        try programs.escrow(
            "ada",
            [
                "group", "create", "home", "--name", "Ada", "--app", "org.example.count", "--class", "Note",
            ] + programs.servers.flatMap { ["--server", $0.address] })
    }

    func wait(_ seconds: String) throws -> (owner: Process, place: String, code: String) {
        let (owner, first) = try tests.begin(
            "ada", ["group", "invite", "home", "--near", "--listen", "127.0.0.1", "--wait", seconds])
        return (owner, first["near"] as? String ?? "", first["code"] as? String ?? "")
    }

    func join(_ who: String, _ place: String, _ code: String, status: Int32 = 0) throws {
        try programs.escrow(
            who, ["group", "join", "home", "--near", place, "--code", "-", "--name", who], status: status,
            input: code + "\n")
    }

    func members() throws -> [String] {
        let shown = try programs.escrow("ada", ["group", "show", "home"]).first
        return (shown?["members"] as? [[String: Any]] ?? []).compactMap { $0["node"] as? String }
    }

    /// Connects, and says nothing.
    func silentGuest(_ place: String) throws -> Int32 {
        let port = try #require(place.split(separator: ":").last.flatMap { UInt16($0) })
        let guest = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(guest, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        return guest
    }

    @Test func aSilentGuestLocksNeitherTheDoorNorTheGroup() throws {
        try create()
        let (owner, place, code) = try wait("300")
        let guests = try (0..<5).map { _ in try silentGuest(place) }
        defer { for guest in guests { close(guest) } }
        // The group is at work meanwhile.
        #expect(try members().count == 1)
        try programs.escrow("ada", ["group", "sync", "home"])
        try join("bob", place, code)
        owner.waitUntilExit()
        #expect(owner.terminationStatus == 0)
        #expect(try members().count == 2)
    }

    @Test func theTimeIsKeptWhoeverIsThere() throws {
        try create()
        let start = ContinuousClock.now
        let (owner, place, _) = try wait("2")
        let guest = try silentGuest(place)
        defer { close(guest) }
        owner.waitUntilExit()
        // Each silent guest had thirty seconds of their own.
        #expect(owner.terminationStatus == 12 && ContinuousClock.now - start < .seconds(25))
    }

    /// Somebody in between who knows no code passes the meeting on, and cuts it when the invitation comes.
    @Test func anInvitationThatIsCutOffIsSaidAndMadeAgain() throws {
        try create()
        let script = """
            import socket, sys
            here = socket.create_server(("127.0.0.1", 0))
            print("127.0.0.1:%d" % here.getsockname()[1], flush=True)
            newcomer, _ = here.accept()
            place, port = sys.argv[1].split(":")
            owner = socket.create_connection((place, int(port)))
            def message(side):
                head = side.recv(4, socket.MSG_WAITALL)
                return head + side.recv(int.from_bytes(head, "big"), socket.MSG_WAITALL)
            for _ in range(2):
                owner.sendall(message(newcomer))
                newcomer.sendall(message(owner))
            owner.sendall(message(newcomer))
            message(owner)
            newcomer.close()
            owner.close()
            """
        let (owner, place, code) = try wait("300")
        let relay = Process()
        let output = Pipe()
        relay.executableURL = URL(filePath: "/usr/bin/python3")
        relay.arguments = ["-c", script, place]
        relay.standardOutput = output
        try relay.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        try join("bob", line.trimmingCharacters(in: .newlines), code, status: 12)
        owner.waitUntilExit()
        relay.waitUntilExit()
        #expect(owner.terminationStatus == 12)
        let ghosts = try members()
        #expect(ghosts.count == 2)
        // The same device comes again.
        let (again, other, newCode) = try wait("300")
        try join("bob", other, newCode)
        again.waitUntilExit()
        #expect(again.terminationStatus == 0)
        #expect(try members() == ghosts)
        try programs.escrow(
            "bob", ["group", "update", "home", "Note", "n"], input: #"{"text":"here"}"#)
        try programs.escrow("bob", ["group", "sync", "home"])
        try programs.escrow("ada", ["group", "sync", "home"])
        #expect(try programs.escrow("ada", ["group", "objects", "home"]).count == 1)
    }

    @Test func nobodyIsTakenInWithoutAPlaceForTheLetter() throws {
        try create()
        let introduction = programs.folder.path + "/bob.json"
        let code = try programs.escrow(
            "bob", ["group", "introduce", "home", "--name", "Bob", "--out", introduction])[0]["code"]
        func invite(_ out: String, status: Int32) throws {
            try programs.escrow(
                "ada",
                [
                    "group", "invite", "home", "--introduction", introduction, "--code",
                    code as? String ?? "", "--out", out,
                ], status: status)
        }
        try invite("/nonexistent/x", status: 1)
        try invite(programs.folder.path, status: 1)
        #expect(try members().count == 1)
        let letter = programs.folder.path + "/letter"
        try invite(letter, status: 0)
        #expect(try members().count == 2)
        let names = try FileManager.default.contentsOfDirectory(atPath: programs.folder.path)
        #expect(names.filter { $0.hasPrefix("letter") } == ["letter"])
    }

    @Test func aRemovalIsDoneWhenAllServersSaySo() throws {
        try create()
        let (owner, place, code) = try wait("300")
        try join("bob", place, code)
        owner.waitUntilExit()
        let own = try programs.escrow("ada", ["group", "show", "home"]).first?["node"] as? String
        let bob = try #require(try members().first { $0 != own })
        programs.servers[2].kill()
        let removed = try programs.escrow("ada", ["group", "remove", "home", bob], status: 19)
        #expect((removed.first?["stillAdmittedAt"] as? [String])?.count == 1, "\(removed)")
        #expect(try members().count == 1)
        let back = try RemovalTests.again(programs.servers[2])
        let done = try programs.escrow("ada", ["group", "remove", "home", bob])
        #expect((done.first?["stillAdmittedAt"] as? [String]) == [] && !back.address.isEmpty, "\(done)")
        try programs.escrow("bob", ["group", "update", "home", "Note", "n"], input: "{}")
        let refused = try programs.escrow("bob", ["group", "sync", "home"])
        #expect((refused.first?["faults"] as? [String: Any])?.count == 3, "\(refused)")
    }
}
