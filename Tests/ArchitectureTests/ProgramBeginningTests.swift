import Foundation
import Testing

/// What each program of ours, which may hold the person's data, has to begin with.
@Suite struct ProgramBeginningTests {
    @Test func eachLeavesNothingBehindInACrash() throws {
        let programs = try DependencyGraphTests.package().targets.filter {
            $0.type == "executable" && $0.path?.hasPrefix("Tests/") != true
        }
        #expect(programs.count >= 7)
        for program in programs {
            let folder = DependencyGraphTests.root.appending(path: program.path ?? "Sources/\(program.name)")
            let files = try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
            let begins = try files.filter { $0.pathExtension == "swift" }.contains {
                try String(contentsOf: $0, encoding: .utf8).contains("Crash.leavesNothing()")
            }
            #expect(begins, "\(program.name)")
        }
    }
}
