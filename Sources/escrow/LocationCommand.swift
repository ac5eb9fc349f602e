import ArgumentParser
import EscrowLocationCommands

struct LocationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "location",
        abstract: "What is told of your places: rules, what masks make of them, and what others could learn.",
        subcommands: [
            LocationRuleCommand.self, LocationPlacesCommand.self, LocationShowCommand.self,
            LocationAuditCommand.self, LocationResetCommand.self, LocationBudgetCommand.self,
            LocationFollowCommand.self, LocationLiveCommand.self,
        ])
}
