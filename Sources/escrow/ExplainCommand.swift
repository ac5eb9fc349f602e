import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowExplain

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain an error code, or list them all.")

    @Argument(help: "A code such as E0102.", completion: .codes) var code: String?

    func run() throws {
        let pages = ErrorPage.all
        guard let code else {
            Console.table(
                ["code", "exit", "what"],
                pages.map { [$0.code.rawValue, String($0.code.exitStatus.rawValue), $0.title] })
            return
        }
        guard let page = pages.first(where: { $0.code.rawValue == code.uppercased() }) else {
            throw Diagnostic(
                .noSuchCode, "there is no error code of that name", help: "list them all: escrow explain")
        }
        Console.page(
            "\(page.code.rawValue): \(page.title)   (exit \(page.code.exitStatus.rawValue))\n\n\(page.text)")
    }
}
