import Foundation
import Testing

@Suite("escrow-egress shuts itself in")
struct SenderWallsTests {
    private static func run(_ program: String) throws -> (output: String, status: Int32) {
        try run(Bundle.main.bundleURL.appending(path: program), [])
    }

    private static func run(_ program: URL, _ arguments: [String]) throws -> (output: String, status: Int32) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
    }

    @Test("No program, no process, no socket but one of the internet that connects, no file but authorities")
    func walls() throws {
        let (output, status) = try Self.run("EgressWallsProbe")
        #expect(status == 0)
        let always = [
            "descriptor EBADF", "execute EPERM", "fork EPERM", "signal EPERM", "privileges done",
            "local-socket EAFNOSUPPORT", "netlink-socket EAFNOSUPPORT", "packet-socket EAFNOSUPPORT",
            "internet-socket done", "internet6-socket done", "listen-address EPERM", "listen EPERM",
            "authorities done",
        ]
        let files = ["read EACCES", "list EACCES", "write EACCES"]
        let lines = output.split(separator: "\n").map(String.init)
        let hasLandlock = lines.last != "no-landlock"
        if !hasLandlock { print("SKIP: this kernel has no Landlock") }
        #expect(lines == always + (hasLandlock ? files : ["no-landlock"]))
    }

    @Test("An ordinary user whose limit of core files is 0 has the walls as well")
    func noCores() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "walls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(at: folder) }
        // An ordinary user may not be able to enter the folder that it was built in.
        let probe = folder.appending(path: "probe")
        try FileManager.default.copyItem(
            at: Bundle.main.bundleURL.appending(path: "EgressWallsProbe"), to: probe)
        let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let (output, status) = try Self.run(
            URL(filePath: "/usr/bin/prlimit"), ["--core=0:0"] + (geteuid() == 0 ? nobody : []) + [probe.path])
        #expect(status == 0 && output.hasPrefix("descriptor EBADF\n"), "\(output)")
    }

    @Test("Started by hand it says who starts it")
    func byHand() throws {
        let (output, status) = try Self.run("escrow-egress")
        #expect(status == 64)
        #expect(output.contains("is started by escrow"))
    }
}
