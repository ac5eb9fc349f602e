import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowHome
import EscrowJSON

extension AppCommand {
    struct Failures: Paged {
        static let configuration = CommandConfiguration(
            commandName: "failures",
            abstract: "Say why runs of apps failed: they were told a code and one sentence.",
            discussion: """
                The last hundred are kept, for you alone. Of what failed after data was read only the code is: \
                escrow run PLUGIN --app APP --log shows the rest on your terminal.
                """)
        @Argument(help: "Only of this app.", completion: .apps) var app: String?
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let home = try Home.open(at: try home.location())
            let entries = try FailureLog(home: home.path).entries().filter { app == nil || $0.app == app }
            if format.isJSON { return Console.data(["failures": .array(entries.map(\.json))]) }
            guard !entries.isEmpty else { return Console.say("no run of an app failed") }
            for entry in entries {
                let times = entry.times > 1 ? ", \(entry.times) times" : ""
                let who = PlainText.neutral("\(entry.app) with \(entry.plugin)", longest: 300)
                Console.data("\(entry.time)  \(entry.code)  \(who)\(times)")
                for words in entry.words { Console.data("  " + PlainText.neutral(words, longest: 600)) }
            }
        }
    }
}
