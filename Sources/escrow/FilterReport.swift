public import ArgumentParser
import EscrowDiagnostics
import EscrowJSON
public import EscrowSandbox

extension SandboxProfile: ExpressibleByArgument {}
extension FilterArchitecture: ExpressibleByArgument {}

/// `escrow doctor --filter`: a profile's list of system calls, to be reviewed.
struct FilterReport {
    let listing: FilterListing
    /// Whether the compiled programs are shown as well.
    let showsPrograms: Bool

    var lines: [String] {
        guard showsPrograms else { return listing.lines }
        return listing.lines + ["", "with a listener", ""] + listing.programs.naming
            + ["", "without", ""] + listing.programs.killing
    }

    var json: JSONValue {
        func rows(_ rows: [FilterListing.Row]) -> JSONValue {
            .array(
                rows.map {
                    [
                        "call": .string($0.call), "number": .integer(Int64($0.number)),
                        "decision": .string($0.decision), "reason": .string($0.reason),
                    ]
                })
        }
        let report: JSONValue = [
            "profile": .string(listing.profile.rawValue),
            "architecture": .string(listing.architecture.rawValue),
            "compiler": .string(listing.compiler), "unlisted": .string(FilterListing.unlisted),
            "instructions": .integer(Int64(listing.instructions)), "calls": rows(listing.rows),
            "withoutListener": [
                "instructions": .integer(Int64(listing.instructionsWithoutListener)),
                "calls": rows(listing.rowsWithoutListener),
            ],
            "absent": .array(
                listing.absent.map { ["call": .string($0.call), "instead": .string($0.instead)] }),
        ]
        guard showsPrograms, case .object(let members) = report else { return report }
        return .object(
            members + [
                ("program", .array(listing.programs.naming.map(JSONValue.string))),
                ("programWithoutListener", .array(listing.programs.killing.map(JSONValue.string))),
            ])
    }
}
