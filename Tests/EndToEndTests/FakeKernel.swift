import Foundation
import Glibc
import TemporaryFolder
import Testing

/// `escrow` on a kernel that is older, smaller or stricter than this machine's: see `Tests/Support/OldKernel`.
struct FakeKernel {
    /// Whom the host runs as.
    enum User: String, CaseIterable, CustomTestStringConvertible {
        /// Whoever runs the tests.
        case current
        /// An ordinary user, where the tests run as root.
        case nobody

        var testDescription: String { rawValue }

        /// Those that this machine allows.
        static var possible: [User] {
            guard geteuid() == 0 else { return [.current] }
            guard FakeKernel.program != nil,
                (try? FakeKernel(user: .nobody).start(["--version"], home: URL(filePath: "/")))?.status == 0
            else {
                print("SKIP: nobody cannot run setpriv or the program under test here")
                return [.current]
            }
            return [.current, .nobody]
        }
    }

    /// What does not work, as `oldkernel` takes it.
    var faults: [String] = []
    /// Whom the host runs as.
    var user = User.current

    private static let scratch = Result { try TemporaryFolder("escrow-oldkernel", mode: 0o755) }

    /// The program that makes the fault, or nil, after a line that says why.
    static let program: URL? = {
        do {
            let program = try scratch.get().url.appending(path: "oldkernel")
            let source = Escrow.root.appending(path: "Tests/Support/OldKernel/oldkernel.c").path
            let made = try execute("/usr/bin/gcc", ["-O1", "-o", program.path, source, "-lseccomp"])
            guard made.status == 0 else {
                Issue.record("oldkernel cannot be built: \(made.words)")
                return nil
            }
            return program
        } catch {
            print("SKIP: no C compiler, so no older kernel can be imitated")
            return nil
        }
    }()

    /// Runs `escrow` on this kernel.
    func start(_ arguments: [String], home: URL) throws -> Escrow.Outcome {
        guard let program = Self.program else { throw CocoaError(.fileNoSuchFile) }
        let command = [program.path] + faults + ["--", Escrow.program.path] + arguments
        switch user {
        case .current: return try Self.execute(command[0], Array(command.dropFirst()), home: home)
        case .nobody:
            return try Self.execute(
                "/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups"] + command, home: home
            )
        }
    }

    private static func execute(
        _ program: String, _ arguments: [String], home: URL = URL(filePath: "/")
    ) throws -> Escrow.Outcome {
        try Escrow.start(arguments, home: home, program: URL(filePath: program))
    }
}

/// A home of its own for a user of a fake kernel, with one contact and the plugin of `RogueTests`.
struct FakeHome {
    /// The home.
    let path: URL

    /// Copies the prepared home, with these walls lowered.
    init(_ user: FakeKernel.User, lowering walls: [String] = []) throws {
        let prepared = try RogueTests.escrow.get()
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "escrow-fake-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        path = folder.appending(path: "home")
        try FileManager.default.copyItem(at: prepared.home, to: path)
        if !walls.isEmpty {
            let list = walls.map { "\"\($0)\"" }.joined(separator: ", ")
            try Data("{ \"loweredWalls\": [\(list)] }\n".utf8).write(to: path.appending(path: "config.json"))
        }
        guard user == .nobody else { return }
        var files = [path.path]
        files +=
            FileManager.default.enumerator(atPath: path.path)?.compactMap { $0 as? String }.map {
                path.appending(path: $0).path
            } ?? []
        for file in files { _ = chown(file, 65534, 65534) }
    }

    /// Removes it.
    func remove() { try? FileManager.default.removeItem(at: path.deletingLastPathComponent()) }
}
