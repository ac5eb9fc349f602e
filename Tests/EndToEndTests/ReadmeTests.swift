import Foundation
import Testing

/// The examples of README.md for apps run as they stand there, in each language.
@Suite struct ReadmeTests {
    /// The block of a language in the section for apps.
    private func example(_ language: String) throws -> String {
        let readme = try String(contentsOf: Escrow.root.appending(path: "README.md"), encoding: .utf8)
        let section = try #require(readme.components(separatedBy: "\n## From an app\n").dropFirst().first)
        let block = try #require(section.components(separatedBy: "```\(language)\n").dropFirst().first)
        return try #require(block.components(separatedBy: "```").first)
    }

    private func service() throws -> RunningService {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.notes")
        return try RunningService(escrow)
    }

    @Test func theOneInSwiftRuns() throws {
        let service = try service()
        let program = Escrow.program.deletingLastPathComponent().appending(path: "NotesApp")
        let ran = try Escrow.start(
            [], home: service.escrow.home, program: program, with: ["ESCROW_SOCKET": service.socket])
        #expect(ran.output == "PhoneReport(valid: 59, invalid: 22)\n", "\(ran.everything)")
    }

    @Test func theOneInPythonRuns() throws {
        let service = try service()
        let ran = try python(try example("python"), service)
        #expect(ran.output == "59 22\n", "\(ran.everything)")
    }

    @Test func theKitForPythonHasTheSameCallsToAwait() throws {
        let service = try service()
        let script = """
            import asyncio, escrow
            async def main():
                app = escrow.AsyncEscrow("org.example.notes")
                runs = await asyncio.gather(*(app.run("phone-check") for _ in range(4)))
                print(len(runs), {run["valid"] for run in runs}, await app.status("phone-check"))
                print((await app.explain("phone-check"))["plugin"], (await app.plugins())[0]["name"])
                print("Contacts" in [table["name"] for table in await app.schema()])
                try:
                    await escrow.AsyncEscrow("org.example.other").run("phone-check")
                except escrow.EscrowError as error:
                    print(error.code, error.exit)
            asyncio.run(main())
            """
        let ran = try python(script, service)
        #expect(
            ran.output == """
                4 {59} authorized
                org.example.phone-check phone-check
                True
                E0702 11

                """, "\(ran.everything)")
    }

    private func python(_ script: String, _ service: RunningService) throws -> Escrow.Outcome {
        try Escrow.start(
            ["-c", script], home: service.escrow.home, program: URL(filePath: "/usr/bin/python3"),
            with: [
                "ESCROW_SOCKET": service.socket, "PYTHONPATH": Escrow.root.path + "/SDK/python",
                "PYTHONDONTWRITEBYTECODE": "1",
            ])
    }
}
