import ArgumentParser
import EscrowDiagnostics
import EscrowJSON
import Foundation

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Have decisions, rules, identifiers and ledger heads in common with your other devices.",
        discussion: """
            The group is one that `create --own-devices` began. What you decide on one device holds on all; a no on one is a \
            no on all. Each device cosigns the heads of the others' ledgers, so that a ledger that was put back is found.

            With --follow it goes on until it is ended, and a decision is at the others within a second while they do so too.
            """)
    @OptionGroup var group: GroupOptions
    @Flag(help: "Go on, and print what comes.")
    var follow = false

    func run() throws {
        let devices = try OwnDevices(group)
        var isFirst = true
        var alarms: [String] = []
        repeat {
            let report = try devices.exchange(isArriving: isFirst, always: isFirst)
            report.took.forEach(Output.print)
            for alarm in report.alarms where !alarms.contains(alarm) {
                Output.print(["alarm": .string(alarm)])
                alarms.append(alarm)
            }
            isFirst = false
            // Others are asked for news so often; what changes here waits no longer either.
            if follow { _ = poll(nil, 0, 200) }
        } while follow
        guard alarms.isEmpty else {
            throw Diagnostic(
                .headContradicted, alarms[0], help: "escrow ledger verify, on the device whose ledger it is")
        }
    }
}
