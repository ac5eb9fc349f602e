import Foundation
import Testing

/// One call of Foundation links all of it into a program: 49 MB of an `escrow` of 146. FoundationEssentials is a smaller library.
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
                let imports = text.split(separator: "\n").contains { line in
                    let words = line.split { " .".contains($0) }
                    return words.contains("import") && words.contains("Foundation") && !line.hasPrefix("//")
                }
                #expect(!imports, "\(path)/\(file)")
            }
        }
        #expect(modules.count > 40)
    }
}
