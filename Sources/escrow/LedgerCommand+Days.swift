import ArgumentParser
import EscrowConsole
import EscrowHome
import EscrowJSON

extension LedgerCommand {
    struct Days: Paged {
        static let configuration = CommandConfiguration(
            commandName: "days",
            abstract: "Sum up the latest days, a line for each app and plugin of a day.",
            discussion: """
                What runs by itself every hour is one line a day here. Days are those of UTC, as the times of the entries are. What \
                did not begin, since nobody allowed it or it waited, is in: escrow schedule list.
                """)
        @Option(name: .customLong("last"), help: "How many days, of those on which something ran.")
        var count = 7
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            format.list(
                try home.ledger().days(count), as: "days", none: "nothing ran yet",
                ["day", "app", "plugin", "runs", "by itself", "done", "last end", "requests", "bytes sent"],
                row: {
                    [
                        $0.day, $0.app ?? "erased", $0.plugin ?? "", String($0.runs), String($0.byItself),
                        String($0.done), $0.end.isEmpty ? "under way" : $0.end, String($0.requests),
                        $0.sent.map { String($0) } ?? "not kept",
                    ]
                }, json: \.json)
        }
    }
}
