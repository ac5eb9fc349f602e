import ArgumentParser
import EscrowDiagnostics
import EscrowHost
import EscrowJSON

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Name each wall of the sandbox and say whether this machine has it; look over the escrow home.")

    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let report = Doctor.examine(home: try home.location())
        if format.isJSON {
            Console.data(report.json)
        } else {
            Console.table(
                ["wall", "state", "what it does", "detail"],
                report.walls.map { [$0.name, $0.state, $0.purpose, $0.detail] })
            Console.data("")
            Console.table(["home", "state"], report.home.map { [$0.name, $0.state] })
        }
        if let problem = report.problem { throw problem }
    }
}
