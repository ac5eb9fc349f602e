import Foundation
import Testing

/// What of a plugin's folder is passed on: what its manifest names, and nothing is left out in silence.
@Suite struct PackTests {
    private let escrow: Escrow
    private let folder: URL
    private let package: String

    init() throws {
        escrow = try Escrow(trusting: false)
        folder = escrow.folder.appending(path: "plugin")
        package = escrow.folder.appending(path: "out.escrow").path
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "Tests/EndToEndTests/Hungry"), to: folder)
    }

    private func pack(_ more: String..., with environment: [String: String] = [:]) throws -> Escrow.Outcome {
        try Escrow.start(
            ["plugin", "pack", folder.path, "--output", package] + more, home: escrow.home, with: environment)
    }

    @Test func whatIsLeftOverIsRefusedByName() throws {
        #expect(try pack().status == 0)
        let models = folder.appending(path: "models")
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        try Data("weights".utf8).write(to: models.appending(path: "small.bin"))
        let refused = try pack()
        #expect(refused.status != 0 && refused.words.contains("E0208"), "\(refused.words)")
        #expect(refused.words.contains("models/small.bin would be left out of the package"))
        // Named in the manifest it is packed, and its digest signed.
        let manifest = folder.appending(path: "plugin.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        let named = text.replacing(
            "\"artifacts\":", with: "\"files\": { \"models/small.bin\": \"\" },\n  \"artifacts\":")
        #expect(named != text)
        try Data(named.utf8).write(to: manifest)
        let packed = try pack()
        try #require(packed.status == 0, "\(packed.words)")
        let bytes = try Data(contentsOf: URL(filePath: package))
        #expect(bytes.range(of: Data("models/small.bin".utf8)) != nil)
        #expect(bytes.range(of: Data("weights".utf8)) != nil)
    }

    /// Who packs a folder of somebody else's publishes no file of theirs.
    @Test func aLinkOutOfTheFolderIsRefused() throws {
        let secret = escrow.folder.appending(path: "secret.py")
        try Data("SECRET = 1\n".utf8).write(to: secret)
        let link = folder.appending(path: "more.py")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: secret)
        let refused = try pack()
        #expect(refused.status != 0 && refused.words.contains("E0210"), "\(refused.words)")
        #expect(!FileManager.default.fileExists(atPath: package))
        let packed = try pack("--follow-links")
        #expect(packed.status == 0, "\(packed.words)")
        // One that stays within the folder is nobody else's.
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "hungry.py")
        #expect(try pack().status == 0)
    }

    /// A plugin of the profile that has wheels, a lock for them, and a pip that fetches one file; the environment with it.
    private func wheels(_ lock: String) throws -> [String: String] {
        let manifest = folder.appending(path: "plugin.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        let native = text.replacing("\"profile\": \"runtime\"", with: "\"profile\": \"native\"")
        try #require(native != text)
        try Data(native.utf8).write(to: manifest)
        try Data(lock.utf8).write(to: folder.appending(path: "wheels.lock"))
        let tools = escrow.folder.appending(path: "tools")
        try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
        let pip = tools.appending(path: "pip")
        let script = """
            #!/bin/sh
            while [ "$1" != --target ]; do shift; done
            mkdir "$2" && echo 'FETCHED = 1' >"$2/fetched.py"

            """
        try Data(script.utf8).write(to: pip)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: pip.path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return ["PATH": "\(tools.path):\(path)"]
    }

    private static let wheel = "six==1.17.0 --hash=sha256:\(String(repeating: "a", count: 64))\n"

    /// An option in the lock would override those of the command: pip would build a source, which runs it.
    @Test(arguments: [
        "--no-binary six\n\(wheel)", "--find-links /tmp\n\(wheel)", "six==1.17.0\n", "", "./six\n",
        "six @ file:///tmp/six.tar.gz --hash=sha256:00\n", wheel.replacing("\n", with: " --no-binary=six\n"),
        wheel.replacing("\n", with: "\r\n"), wheel.replacing("\n", with: " \\\n# more\n"),
    ])
    func aLockHoldsWheelsAlone(lock: String) throws {
        let refused = try pack(with: wheels(lock))
        #expect(refused.status != 0 && refused.words.contains("E0282"), "\(refused.words)")
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "wheels").path))
    }

    /// A folder can say of itself that its wheels were fetched by its lock.
    @Test func whatIsSignedWasFetchedNow() throws {
        let lock = "# made by pip-compile\n" + Self.wheel.replacing(" --hash", with: " \\\n    --hash")
        let environment = try wheels(lock)
        let wheels = folder.appending(path: "wheels")
        try FileManager.default.createDirectory(at: wheels, withIntermediateDirectories: true)
        try Data(lock.utf8).write(to: wheels.appending(path: ".lock"))
        try Data("PLANTED = 1\n".utf8).write(to: wheels.appending(path: "planted.py"))
        let packed = try pack(with: environment)
        try #require(packed.status == 0, "\(packed.words)")
        let bytes = try Data(contentsOf: URL(filePath: package))
        #expect(bytes.range(of: Data("FETCHED".utf8)) != nil)
        #expect(bytes.range(of: Data("PLANTED".utf8)) == nil)
    }

    /// A pipe that nobody writes into is not waited for.
    @Test func aPipeIsRefused() throws {
        try #require(mkfifo(folder.appending(path: "more.py").path, 0o600) == 0)
        let refused = try pack()
        #expect(refused.status != 0 && refused.words.contains("E0210"), "\(refused.words)")
    }
}
