import EscrowClient
import Foundation
import TemporaryFolder
import Testing

/// Another user's program in the place of the service, as where `su` kept their XDG_RUNTIME_DIR: nobody sends it a word.
@Suite(.enabled(if: geteuid() == 0, "SKIP: only root can start a program of another user"))
struct AnothersServiceTests {
    /// The program, in a session of its own; gone with this value.
    private final class Impostor {
        private let script: ListeningScript

        init(for escrow: Escrow) throws {
            script = try ListeningScript("anothers_service.py", [escrow.home.path])
        }

        var session: [String: String] { script.session }
        var socket: String { script.runtime.path + "/escrow/service.sock" }
        /// All that it was sent.
        var heard: String {
            (try? String(contentsOfFile: script.runtime.path + "/escrow/heard", encoding: .utf8)) ?? ""
        }
    }

    private let run = ["run", "phone-check", "--app", "org.example.notes", "--quiet", "--format", "json"]

    /// What `escrow host --stdio` answers to a run; an app that closes its end withdraws it.
    private func hosted(_ escrow: Escrow, _ more: [String: String]) throws -> String {
        let host = Process()
        host.executableURL = Escrow.program
        host.arguments = ["host", "--stdio"]
        host.environment = ProcessInfo.processInfo.environment.merging(["ESCROW_HOME": escrow.home.path]) {
            $1
        }
        .merging(more) { $1 }
        let input = Pipe()
        let output = Pipe()
        host.standardInput = input
        host.standardOutput = output
        try host.run()
        let ask = #"{"id":1,"run":{"app":"org.example.notes","compute":"phone-check"}}"# + "\n"
        try input.fileHandleForWriting.write(contentsOf: Data(ask.utf8))
        var said = ""
        while said.split(separator: "\n").count < 2 {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            said += String(decoding: data, as: UTF8.self)
        }
        try input.fileHandleForWriting.close()
        host.waitUntilExit()
        return said
    }

    /// The control: it answers who does not look.
    private func answersCurl(_ impostor: Impostor, _ escrow: Escrow) throws {
        #expect(impostor.heard == "")
        let words = ["-s", "--unix-socket", impostor.socket, "http://localhost/v1"]
        let asked = try Escrow.start(words, home: escrow.home, program: URL(filePath: "/usr/bin/curl"))
        #expect(asked.output.contains("forged") && impostor.heard.contains("/v1"), "\(asked.everything)")
    }

    @Test func commandsGoOnAsIfNoServiceRan() throws {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.notes")
        let impostor = try Impostor(for: escrow)
        let ran = try Escrow.start(run, home: escrow.home, with: impostor.session)
        #expect(ran.status == 0 && ran.output.contains(#""contacts":41"#), "\(ran.everything)")
        let host = try hosted(escrow, impostor.session)
        #expect(host.contains(#""contacts":41"#), "\(host)")
        // An app's own socket is handed over to nobody else, and no folder is made there.
        let app = [
            "app", "run", "org.example.notes", "--runtime", impostor.session["XDG_RUNTIME_DIR"]! + "/escrow",
        ]
        let confined = try Escrow.start(app + ["--", "/bin/true"], home: escrow.home)
        #expect(confined.status != 0 && confined.words.contains("E1251"), "\(confined.everything)")
        try answersCurl(impostor, escrow)
    }

    @Test func aSocketThatIsNamedIsNotBelievedEither() async throws {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.notes")
        let impostor = try Impostor(for: escrow)
        // A home that is named nowhere, so that the socket counts.
        try FileManager.default.createSymbolicLink(
            atPath: escrow.folder.path + "/escrow", withDestinationPath: escrow.home.path)
        let named = [
            "ESCROW_HOME": "", "XDG_DATA_HOME": escrow.folder.path, "ESCROW_SOCKET": impostor.socket,
            "PYTHONPATH": Escrow.root.path + "/SDK/python", "PYTHONDONTWRITEBYTECODE": "1",
        ]
        let ran = try Escrow.start(run, home: escrow.home, with: named)
        #expect(ran.status == 0 && ran.output.contains(#""contacts":41"#), "\(ran.everything)")
        let host = try hosted(escrow, named)
        #expect(host.contains("E1251") && host.contains("another user listens"), "\(host)")
        let python = try Escrow.start(
            ["-P", "-m", "escrow", "phone-check"], home: escrow.home,
            program: URL(filePath: "/usr/bin/python3"), with: named)
        #expect(python.words.hasPrefix("E1251") && python.output == "", "\(python.everything)")
        let error = await #expect(throws: EscrowError.self) {
            _ = try await EscrowClient.Escrow.connect(app: "org.example.notes", socket: impostor.socket)
        }
        #expect(error?.code == "E1251" && error?.message.contains("another user") == true)
        try answersCurl(impostor, escrow)
    }
}
