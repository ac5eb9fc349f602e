import Foundation
import Testing

/// The compiler drops `@inlinable` of a member without a word where its type is the package's alone. Other modules then call the
/// member unspecialised: reading photos took up to twice as long for that.
@Suite struct InliningTests {
    @Test func whatOtherModulesInlineLiesInATypeThatTheyMayUse() throws {
        let sources = DependencyGraphTests.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
        let texts = try files.map { file in
            try String(contentsOf: sources.appending(path: file), encoding: .utf8)
                .replacing("@inlinable\n", with: "@inlinable ").split(separator: "\n")
        }
        // Types that no other module may use where it inlines; members may also lie in extensions of them.
        let hidden = Set(texts.joined().compactMap(Self.type).filter { !$0.isUsable }.map(\.name))
        var found = 0
        for (file, lines) in zip(files, texts) {
            // The types that a line lies in, by how far they are indented.
            var types: [(indent: Int, isUsable: Bool)] = []
            for line in lines {
                let indent = line.prefix { $0 == " " }.count
                if line.hasSuffix("}") || line.hasSuffix("{") { types.removeAll { $0.indent >= indent } }
                if let type = Self.type(line) {
                    let isUsable = type.isExtension ? !hidden.contains(type.name) : type.isUsable
                    types.append((indent, isUsable))
                }
                let words = line.split(separator: " ")
                guard words.contains("@inlinable"), words.contains("package") else { continue }
                found += 1
                let isUsable = types.allSatisfy(\.isUsable)
                #expect(isUsable, "\(file): not inlined anywhere else: \(line)")
            }
        }
        #expect(found > 20)
    }

    /// The type that a line begins, or is an extension of.
    private static func type(_ line: Substring) -> (name: Substring, isExtension: Bool, isUsable: Bool)? {
        let words = line.split { " :<{".contains($0) }
        guard line.hasSuffix("{"), !words.contains("func"),
            let place = words.firstIndex(where: { ["struct", "enum", "class", "extension"].contains($0) }),
            words.indices.contains(place + 1)
        else { return nil }
        let isExtension = words[place] == "extension"
        let isUsable = isExtension || words.contains("public") || words.contains("@usableFromInline")
        return (words[place + 1], isExtension, isUsable)
    }
}
