import EscrowJSON
import Testing

@testable import EscrowMCP

/// What an agent may send, and what it is told of what a plugin returns.
@Suite struct AgentMessageTests {
    private func read(_ text: String) throws(AgentMessage.Fault) -> AgentMessage {
        try AgentMessage(line: Array(text.utf8))
    }

    @Test func aRequestHasAnIDAndANotificationHasNone() throws {
        guard
            case .request(.number(7), "tools/list", let params) = try read(
                #"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#)
        else { throw Unexpected() }
        #expect(params == .object([]))
        guard
            case .notification("x", let more) = try read(#"{"jsonrpc":"2.0","method":"x","params":{"a":1}}"#)
        else { throw Unexpected() }
        #expect(more["a"] == 1)
    }

    private struct Unexpected: Error {}

    @Test(arguments: [
        (#"{"#, AgentMessage.Fault.unreadable), ("[]", .unfit(nil)), ("1", .unfit(nil)),
        (#"{"jsonrpc":"1.0","id":1,"method":"x"}"#, .unfit(.number(1))),
        (#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, .unfit(nil)),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, .unfit(nil)),
        (#"{"jsonrpc":"2.0","id":"a","result":{}}"#, .unfit(.text("a"))),
        (#"{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}"#, .unfit(.number(1))),
        (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#, .unreadable),
    ])
    func whatIsNoMessageIsRefused(_ text: String, _ fault: AgentMessage.Fault) {
        #expect(throws: fault) { try read(text) }
    }

    @Test func noToolDecidesOrChangesAnything() {
        #expect(AgentTool.always.map(\.name) == ["plugins", "schema", "explain", "status", "run"])
        for tool in AgentTool.always {
            let names = tool.input["properties"]?.members?.map(\.name) ?? []
            #expect(Set(names).isSubset(of: ["plugin", "sql", "parameters", "table"]))
            #expect(tool.input["additionalProperties"] == false)
        }
    }
}
