import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowEgressHTTP
import EscrowHost
import EscrowSandbox

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Name each wall of the sandbox and say whether this machine has it; look over the escrow home.")

    @Option(help: "Print the system calls that a profile allows, strict or runtime, and why.") var filter:
        SandboxProfile?
    @Option(help: "With --filter: the processor, x86-64 or arm64 (default: this one).") var arch:
        FilterArchitecture?
    @Flag(help: "With --filter: print the compiled BPF programs as well.") var bpf = false
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        guard let filter else {
            guard arch == nil, !bpf else {
                throw Diagnostic(
                    .optionMissing, "--arch and --bpf need --filter", help: "escrow doctor --filter strict")
            }
            return try examine()
        }
        let report = FilterReport(listing: try FilterListing(filter, arch ?? .native), showsPrograms: bpf)
        if format.isJSON { Console.data(report.json) } else { report.lines.forEach { Console.columns($0) } }
    }

    private func examine() throws {
        let report = Doctor.examine(home: try home.location(), egress: HTTPTransport.checkProgram)
        if format.isJSON {
            Console.data(report.json)
        } else {
            Console.table(
                ["wall", "state", "what it does", "detail"],
                report.walls.map { [$0.name, $0.state, $0.purpose, $0.detail] })
            Console.data("")
            Console.table(
                ["limit", "by default", "at most", "your cap", "a breach is", "held by"],
                report.limits.map {
                    [
                        $0.name, String($0.standard), String($0.most), $0.cap.map(String.init) ?? "",
                        $0.isExact ? "exact" : "inferred", $0.holder,
                    ]
                })
            Console.data("")
            Console.table(["home", "state"], report.home.map { [$0.name, $0.state] })
        }
        if let problem = report.problem { throw problem }
    }
}
