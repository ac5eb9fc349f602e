import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowTabular
import Glibc
import TemporaryFolder
import Testing

@testable import EscrowMCP

/// What an agent calls is what runs, or nothing is.
@Suite struct AgentCallTests {
    private func sentence(_ tool: String, _ arguments: JSONValue) -> String? {
        do throws(AgentCall.Unfit) {
            _ = try AgentCall(["name": .string(tool), "arguments": arguments])
            return nil
        } catch { return error.sentence }
    }

    @Test func whatDoesNotFitAToolsSchemaIsRefused() {
        for tool in ["run", "explain", "status"] {
            #expect(sentence(tool, ["plugin": "a.b", "sql": "SELECT 1", "parameters": ["n": 1]]) == nil)
            #expect(sentence(tool, [:]) == "\"arguments\" has no \"plugin\"")
            #expect(sentence(tool, ["plugin": 1]) == "\"plugin\" is no text")
            let more: JSONValue = ["plugin": "a.b", "server": "mine"]
            #expect(
                sentence(tool, more)
                    == "\"arguments\" has a member that this tool does not take; it takes plugin, sql, parameters"
            )
        }
        let own = "run_org_example_age-of-contacts"
        #expect(sentence(own, [:]) == nil)
        #expect(sentence(own, ["parameters": #"{"year":2020}"#]) == "\"parameters\" is no object")
        #expect(sentence(own, ["sql": ["SELECT 1"]]) == "\"sql\" is no text")
        for wrong: JSONValue in [["year": 2020], ["plugin": "a.b"], ["place": "p"], ["table": "t"]] {
            #expect(sentence(own, wrong)?.hasSuffix("it takes sql, parameters") == true)
        }
        for wrong: JSONValue in [.null, [], [:]] {
            #expect(sentence(own, ["parameters": ["year": wrong]])?.contains("no text, number") == true)
        }
        #expect(sentence("plugins", ["app": "a"])?.hasSuffix("it takes none") == true)
        #expect(sentence("schema", ["table": .null]) == "\"table\" is no text")
        #expect(sentence("run", [1]) == "\"arguments\" is no object")
        for tool in ["grant", "answer", ""] { #expect(sentence(tool, [:]) == "there is no such tool") }
    }

    @Test func whatFitsIsWhatIsAsked() throws {
        let call = try AgentCall([
            "name": "run_a_b", "arguments": ["sql": "SELECT :n", "parameters": ["n": 2.5, "on": true]],
        ])
        let request = call.request(app: "org.example.a", plugin: "a.b")
        #expect(request.sql == "SELECT :n" && request.arguments == ["n": "2.5", "on": "true"])
        #expect(request.bindings["n"] == .real(2.5) && request.bindings["on"] == .integer(1))
    }

    /// A name hangs on nothing but its plugin's id: what another plugin is called, or whether it is there, changes none.
    @Test func noPluginsToolHasAnothersName() {
        let honest = "org.example.age-of-contacts"
        #expect(AgentTool.name(of: honest) == "run_org_example_age-of-contacts")
        #expect(AgentTool.plugin(named: "run_age-of-contacts", among: ["a.zzz.age-of-contacts"]) == nil)
        #expect(AgentTool.plugin(named: AgentTool.name(of: honest), among: ["a.b", honest]) == honest)
        #expect(AgentTool.plugin(named: AgentTool.name(of: honest), among: [honest, honest]) == nil)
        // What was cut alike differs by its digest, and no id spells a name that was cut.
        let long = "org.example." + String(repeating: "a", count: 60)
        let names = ["-one", "-two"].map { AgentTool.name(of: long + $0) }
        #expect(names[0] != names[1] && names.allSatisfy { $0.utf8.count == 64 && $0.contains("__") })
        let posing = String(names[0].dropFirst(4)).replacing("__", with: "_").replacing("_", with: ".")
        #expect(AgentTool.name(of: posing) != names[0])
    }

    @Test func aLongResultStandsInItsAnswerOnce() throws {
        func text(_ value: JSONValue) -> String? {
            AgentAnswer.content(value)[0].value.array?.first?["text"]?.string
        }
        #expect(text(["n": 1]) == #"{"n":1}"#)
        let long: JSONValue = ["text": .string(String(repeating: "\"", count: AgentAnswer.mostText))]
        #expect(text(long) == "The result is longer than 1 MiB. It stands in structuredContent alone.")
        #expect(AgentAnswer.content(long)[1].value == long)
    }

    /// An agent that does not read ends, as an app does.
    @Test func anAgentThatDoesNotReadLosesItsConnection() throws {
        let scratch = try TemporaryFolder("escrow-agent")
        let host = try EscrowHost.Host(home: try Home.create(at: scratch.path + "/home"))
        var (toHost, toAgent): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        try #require(pipe(&toHost) == 0 && pipe(&toAgent) == 0)
        defer { for end in toHost + toAgent { close(end) } }
        let server = try AgentServer(
            host: host, app: "org.example.agent", input: toHost[0], output: toAgent[1], version: "0",
            stallSeconds: 0.1)
        // Each is answered at once; together the answers are more than the pipe to the agent holds.
        let line = Array((#"{"jsonrpc":"2.0","id":1,"method":"x"}"# + "\n").utf8)
        for _ in 1...1_000 { #expect(write(toHost[1], line, line.count) == line.count) }
        #expect(throws: Diagnostic(.appDoesNotRead, "")) { try server.serve() }
    }
}
