import ArgumentParser
import EscrowConsole
import EscrowMCP

struct MCPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Serve an agent: the Model Context Protocol on stdin and stdout.",
        discussion: """
            An agent starts this and gets tools to look up plugins and tables, and to run plugins: results, never data. What you \
            have not decided is asked on your page or terminal. docs/agents.md has how to set one up.
            """)
    @Option(help: "The id that the agent goes by, in questions and in the ledger.")
    var app = "org.escrow.agent"
    @OptionGroup var home: HomeOptions

    func run() throws {
        try AgentServer(
            host: try home.openQuietly(), app: app, input: 0, output: 1,
            version: EscrowCommand.configuration.version
        ).serve()
    }
}
