import Foundation
import Testing

/// Code that other modules are to inline does so only where its type may be used there: the compiler drops `@inlinable` of a member
/// without a word where the type is the package's alone. When the sources became modules of their own, reading photos took up to twice
/// as long for that.
@Suite struct InliningTests {
    private static let types: Set<Substring> = ["struct", "enum", "class", "extension"]

    @Test func whatOtherModulesInlineLiesInATypeThatTheyMayUse() throws {
        let sources = DependencyGraphTests.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        var found = 0
        for file in files.sorted() {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            // The declarations that a line lies in, by how far they are indented.
            var types: [(indent: Int, isUsable: Bool)] = []
            for (number, line) in lines.enumerated() {
                let indent = line.prefix { $0 == " " }.count
                let words = line.split(separator: " ")
                if line.hasSuffix("}") || line.hasSuffix("{"), !words.isEmpty {
                    types.removeAll { $0.indent >= indent }
                }
                if line.hasSuffix("{"), let place = words.firstIndex(where: { Self.types.contains($0) }),
                    !words[..<place].contains("func")
                {
                    let before = words[...place]
                    let isUsable = ["extension", "public", "@usableFromInline"].contains(
                        where: before.contains)
                    types.append((indent, isUsable))
                }
                guard words.contains("@inlinable"), words.contains("package") else { continue }
                found += 1
                let isUsable = types.allSatisfy(\.isUsable)
                #expect(isUsable, "\(file):\(number + 1): not inlined anywhere else")
            }
        }
        #expect(found > 20)
    }
}
