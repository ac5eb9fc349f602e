/// Lists and names made short enough to be read. What is left out is counted or marked, so that a long item never pushes out what
/// stands behind it.
public enum Brief {
    /// The most letters of a host's name that stay as they are.
    private static let longestHost = 64

    /// `a, b and 7 more columns`; all of them where there are few.
    public static func list(_ items: some Collection<String>, most: Int, _ noun: String) -> String {
        let shown = items.prefix(most).joined(separator: ", ")
        return items.count > most ? shown + " and " + more(items.count - most, noun) : shown
    }

    /// `7 more columns`.
    public static func more(_ count: Int, _ noun: String) -> String {
        "\(count) more \(noun)\(count == 1 ? "" : "s")"
    }

    /// A text of at most so many letters, with a mark in the place of its middle.
    public static func middle(_ text: String, longest: Int) -> String {
        let letters = text.unicodeScalars
        guard letters.count > longest else { return text }
        let end = (longest - 1) / 2
        return String(Substring(letters.prefix(longest - 1 - end))) + "…"
            + String(Substring(letters.suffix(end)))
    }

    /// A host's name. Of a long one the beginning and the last three labels: whose it is, its end says.
    public static func host(_ name: String) -> String {
        let labels = name.split(separator: ".")
        guard name.utf8.count > longestHost, labels.count > 3 else { return name }
        return name.prefix(12) + "…." + labels.suffix(3).joined(separator: ".")
    }
}
