package import EscrowDiagnostics
package import EscrowJSON
import Glibc

/// Data to stdout, words to stderr.
package enum Console {
    /// Prints a line of data that begins with words of the host's.
    package static func data(_ line: String) { hang(line, to: 1) }

    /// Prints a page of the host's own words.
    package static func page(_ text: String) {
        for line in TerminalText.unwrapped(text) { hang(line, to: 1) }
    }

    /// Prints a text that a plugin made: as it is, but on a terminal behind a mark in every line.
    package static func result(_ text: String) {
        guard let width = TerminalText.columns(of: 1) else { return write(printable(text) + "\n", to: 1) }
        for line in TerminalText.quoted(visible(text), width: width) { write(line + "\n", to: 1) }
    }

    /// Says what others wrote, each line behind a mark.
    package static func quote(_ text: String) {
        for line in TerminalText.quoted(visible(text), width: TerminalText.columns(of: 2)) {
            write(line + "\n", to: 2)
        }
    }

    /// Prints a JSON document.
    package static func data(_ value: JSONValue) {
        write(escaped(String(decoding: JSONWriter.document(value), as: UTF8.self)), to: 1)
    }

    /// Prints a JSON value on a line of its own.
    package static func line(_ value: JSONValue) {
        write(escaped(String(decoding: JSONWriter.line(value), as: UTF8.self)) + "\n", to: 1)
    }

    /// Prints a line of rows for programs: as it is, but on a terminal nothing that it would obey.
    package static func line(_ text: String) {
        write((isatty(1) == 1 ? printable(text) : text) + "\n", to: 1)
    }

    /// Asks the person, on the line on which they answer.
    package static func ask(_ question: String) { write(printable(question), to: 2) }

    /// Whether the person types a yes.
    package static func confirms(_ question: String) -> Bool {
        ask(question)
        return readLine().map { ["y", "yes"].contains($0.lowercased()) } ?? false
    }

    /// The same on a terminal; `help` says what to do where there is none.
    package static func confirms(_ question: String, help: String) throws(Diagnostic) -> Bool {
        guard isatty(0) == 1, isatty(2) == 1 else {
            throw Diagnostic(.optionMissing, "there is no terminal to ask on", help: help)
        }
        return confirms(question)
    }

    /// Prints raw bytes of a result.
    package static func data(_ bytes: [UInt8]) { write(bytes, to: 1) }

    /// Prints JSON of others as it is, for a signature is over its bytes; on a terminal nothing that it would obey.
    package static func data(json bytes: [UInt8]) {
        guard isatty(1) == 1 else { return write(bytes, to: 1) }
        write(escaped(bytes), to: 1)
    }

    /// Such JSON for a terminal: the same value. Outside its strings a carriage return and a tab are spaces.
    package static func escaped(_ json: [UInt8]) -> String {
        escaped(String(decoding: json.map { [0x0D, 0x09].contains($0) ? 0x20 : $0 }, as: UTF8.self))
    }

    /// Says something to the person, in a line that begins with words of the host's.
    package static func say(_ line: String) { hang(line, to: 2) }

    /// How wide the words of a dataflow may be here.
    package static var sheetWidth: Int { TerminalText.columns(of: 2) ?? 96 }

    /// Says a line of the sheet; on a terminal what warns of a plain copy is red.
    package static func explain(_ line: String) {
        guard line.hasPrefix("  DANGER"), isatty(2) == 1, getenv("NO_COLOR") == nil, !TerminalText.isSpoken
        else {
            return write(printable(line) + "\n", to: 2)
        }
        write("\u{1B}[1;31m\(printable(line))\u{1B}[0m\n", to: 2)
    }

    /// Reports what went wrong, in colour only on a terminal.
    package static func report(_ diagnostic: Diagnostic) {
        let text = lines(diagnostic, width: TerminalText.columns(of: 2)).joined(separator: "\n")
        guard isatty(2) == 1, getenv("NO_COLOR") == nil, !TerminalText.isSpoken,
            let end = text.firstIndex(of: ":")
        else {
            write(text + "\n", to: 2)
            return
        }
        write("\u{1B}[1;31m\(text[..<end])\u{1B}[0m\(text[end...])\n", to: 2)
    }

    /// A diagnostic in lines that the host begins.
    private static func lines(_ diagnostic: Diagnostic, width: Int?) -> [String] {
        var lines = ["\(diagnostic.severity.rawValue)[\(diagnostic.code.rawValue)]: \(diagnostic.message)"]
        if let place = diagnostic.place { lines.append("  --> \(place)") }
        lines += diagnostic.notes.map { "note: \($0)" }
        let said = lines.flatMap { TerminalText.hanging(visible($0), width: width) }
        guard let help = diagnostic.help else { return said }
        return said + TerminalText.help(visible("help: \(help)"), width: width)
    }

    /// Prints rows under headings, columns padded to their widest cell. On a terminal each line begins with a space.
    package static func table(_ headings: [String], _ rows: [[String]]) {
        let lines = Layout.ofOutput.table(([headings] + rows).map { $0.map(cell) })
        for line in lines { write(line + "\n", to: 1) }
    }

    /// Prints a line of several columns, on a terminal wrapped beneath its last one.
    package static func columns(_ line: String) {
        for line in Layout.ofOutput.line(visible(line)) { write(line + "\n", to: 1) }
    }

    /// A line that is broken by the host where the terminal would break it, and indented where it goes on.
    private static func hang(_ line: String, to descriptor: Int32) {
        let lines = TerminalText.hanging(visible(line), width: TerminalText.columns(of: descriptor))
        write(lines.joined(separator: "\n") + "\n", to: descriptor)
    }

    /// As `printable`, with spaces for tabs: how far a tab goes depends on where it stands.
    private static func visible(_ text: String) -> String {
        let text = printable(text)
        return text.utf8.contains(9) ? text.replacing("\t", with: "  ") : text
    }

    /// The text with control characters shown as escapes: names in files and manifests must not repaint a terminal.
    package static func printable(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isControl =
                scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
            if isControl, scalar != "\n", scalar != "\t" {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text on one line: a line end inside a cell must not look like another row.
    private static func cell(_ text: String) -> String {
        String(printable(text).flatMap { $0.isNewline ? Array("\\n") : $0 == "\t" ? Array("\\t") : [$0] })
    }

    /// JSON text with the characters that a terminal would obey, or that turn the direction of writing, as escapes; they
    /// stand inside strings only.
    package static func escaped(_ json: String) -> String {
        var result = ""
        for scalar in json.unicodeScalars {
            let category = scalar.properties.generalCategory
            if category == .control || category == .format, scalar != "\n" {
                for unit in UTF16.encode(scalar)! {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Ends the command: the reader is gone, or the disk is full. Half an output is none, so nothing goes on after it.
    private static func stop(_ descriptor: Int32, _ reason: Int32) -> Never {
        _ = Pager.end()
        if reason == EPIPE {
            // A reader that has seen enough (`| head`) is no fault: this ends as other programs do then.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        let failure = Diagnostic(
            .outputNotWritten, "the output could not be written: \(String(cString: strerror(reason)))",
            help: "make room, or write it somewhere else, and run the command again")
        // Where the words cannot be written either, nobody is left to tell but through the exit status.
        if descriptor != 2 { report(failure) }
        exit(failure.exitStatus.rawValue)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        write(Array(text.utf8), to: descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        for piece in Pager.take(bytes, for: descriptor) { deliver(piece.bytes, to: piece.descriptor) }
    }

    /// Writes what was held for a pager, or waits until that is done.
    package static func endPage() {
        for piece in Pager.end() { deliver(piece.bytes, to: piece.descriptor) }
    }

    private static func deliver(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let wrote = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if wrote < 0, errno == EINTR { continue }
            guard wrote >= 0 else { stop(descriptor, errno) }
            rest = rest.dropFirst(wrote)
        }
    }
}
