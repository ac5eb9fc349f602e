import Foundation
import Testing

/// The short form of `make soak`: honest and hostile plugins, four at a time, through one host.
@Suite(.timeLimit(.minutes(60))) struct SoakTests {
    @Test func mixedPluginsLeaveTheHostAsItWas() throws {
        let outcome = try Escrow.start(
            [
                Escrow.root.appending(path: "scripts/soak").path, Escrow.program.path, Escrow.packages.path,
                "--seconds", "8",
            ], home: Escrow.root, program: URL(filePath: "/usr/bin/python3"))
        #expect(outcome.status == 0, "\(outcome.everything)")
        let last = outcome.output.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("soak: ") && last.hasSuffix(", 0 findings"), "\(outcome.everything)")
        print(last)
    }
}
