import Foundation
import Testing

@Suite struct RemoteWallsTests {
    private static func lines(_ program: URL) throws -> [String] {
        let process = Process()
        process.executableURL = program
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(
        "No program, no process, no socket but one of the internet that connects, no file but those that name hosts"
    )
    func walls() throws {
        let lines = try Self.lines(Bundle.main.bundleURL.appending(path: "RemoteWallsProbe"))
        let always = [
            "descriptor EBADF", "execute EPERM", "fork EPERM", "thread done", "signal EPERM",
            "privileges done",
            "looked-into done", "local-socket EAFNOSUPPORT", "netlink-socket EAFNOSUPPORT",
            "packet-socket EAFNOSUPPORT", "internet-socket done", "listen-address EPERM", "listen EPERM",
            "name done",
        ]
        let files = [
            "read EACCES", "list EACCES", "list-processes EACCES", "another-process EACCES", "write EACCES",
        ]
        let hasLandlock = lines.last != "no-landlock"
        if !hasLandlock { print("SKIP: this kernel has no Landlock") }
        #expect(lines == always + (hasLandlock ? files : ["no-landlock"]))
    }

    /// It serves on, since there is no swap now, and says what that is worth.
    @Test func aServerThatCannotLockItsMemorySaysSo() throws {
        let server = try OffloadServer()
        try server.start(through: Self.withoutLocking)
        let escrow = try Escrow.offloading(to: try server.enrol())
        #expect(server.log.contains("memory cannot be locked"))
        let check = try escrow.run("server", "check", "home", "--format", "json").json()
        #expect(check["memoryLocked"] as? Bool == false)
        #expect(try escrow.run("server", "check", "home").output.contains("memory is NOT locked"))
        #expect(try escrow.offload().status == 0)
    }

    /// Programs that start another one with neither the right nor the room to lock memory.
    private static var withoutLocking: [String] {
        ["prlimit", "--memlock=65536:65536"]
            + (geteuid() == 0 ? ["setpriv", "--bounding-set=-ipc_lock,-sys_resource"] : [])
    }
}
