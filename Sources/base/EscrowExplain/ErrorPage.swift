package import EscrowDiagnostics

/// What `escrow explain` tells about one code. A test checks that every code has a page.
package struct ErrorPage {
    package let code: Diagnostic.Code
    package let title: String
    package let text: String

    /// All pages, by code.
    package static let all: [ErrorPage] = [
        machinePages, manifestPages, packagePages, trustPages, accessPages, sandboxPages, egressPages,
        consentPages, preferencesPages,
        sourcesPages, usagePages, minimisationPages, groupPages, pagePages, serverPages,
        servicePages, offloadPages,
    ].flatMap(read)

    /// Splits a text in which a page begins with `## E0102 unknown member`.
    private static func read(_ source: String) -> [ErrorPage] {
        var pages: [(heading: Substring, lines: [Substring])] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## ") {
                pages.append((line.dropFirst(3), []))
            } else if !pages.isEmpty, !(line.isEmpty && pages[pages.count - 1].lines.isEmpty) {
                pages[pages.count - 1].lines.append(line)
            }
        }
        return pages.map { page in
            let name = String(page.heading.prefix(5))
            guard let code = Diagnostic.Code(rawValue: name) else {
                preconditionFailure("a page about \(name)")
            }
            var lines = page.lines
            while lines.last?.isEmpty == true { lines.removeLast() }
            return ErrorPage(
                code: code, title: String(page.heading.dropFirst(6)),
                text: lines.joined(separator: "\n"))
        }
    }
}
