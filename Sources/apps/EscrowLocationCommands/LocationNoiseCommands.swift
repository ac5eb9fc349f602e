package import ArgumentParser
import EscrowConsole
import EscrowHost
import EscrowJSON
import EscrowLocation

package struct LocationBudgetCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "budget", abstract: "Show what planar-laplace spent today, by app.",
        discussion: """
            Each new answer of planar-laplace spends its ε, a test whether the last one still serves half of that, and the same cell \
            nothing. When a day's budget is spent, the last answer stays.
            """)
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    package init() {}

    package func run() throws {
        format.list(
            try home.open().spentToday(), as: "spent", none: "planar-laplace has spent nothing",
            ["app", "mask", "spent today", "of"]
        ) {
            [$0.app, $0.mask, "\(rounded($0.spent))", "\(rounded($0.of))"]
        } json: {
            [
                "app": .string($0.app), "mask": .string($0.mask), "spent": .real($0.spent),
                "budget": .real($0.of),
            ]
        }
    }

    private func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
}

package struct LocationResetCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Draw new noise for all masks.",
        discussion: """
            The same place gives the same masked place until you do this. Whoever has answers from before and from now on \
            has two masked places of each place, so do it seldom: after a move, for instance.
            """)
    @OptionGroup var home: HomeOptions

    package init() {}

    package func run() throws {
        try home.open().resetLocationNoise()
        Console.say("new noise is drawn for every app")
    }
}
