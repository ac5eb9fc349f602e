import Foundation
import Testing

/// One call of Foundation links all of it into a program, and all that is known of languages with it: 60 MB of an `escrow` of 146, and a
/// part of each start. FoundationEssentials is a library of its own, and a small one.
@Suite struct FoundationTests {
    @Test func noModuleOfTheHostsProgramsImportsFoundation() throws {
        let targets = try DependencyGraphTests.package().targets
        var modules: Set<String> = []
        var next = ["escrow", "escrow-service", "escrow-egress"]
        while let name = next.popLast() {
            guard modules.insert(name).inserted, let target = targets.first(where: { $0.name == name }),
                let path = target.path
            else { continue }
            next += target.dependencies.compactMap(\.name)
            let folder = DependencyGraphTests.root.appending(path: path)
            let files = try #require(FileManager.default.enumerator(atPath: folder.path))
                .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
            for file in files {
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                let imports = text.split(separator: "\n").contains { $0.hasSuffix("import Foundation") }
                #expect(!imports, "\(path)/\(file)")
            }
        }
        #expect(modules.count > 40)
    }
}
