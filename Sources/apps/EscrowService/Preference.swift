/// `Prefer: respond-async, wait=30`. RFC 7240
struct Preference: Sendable {
    /// Whether the answer is where the run can be followed.
    var isAsync = false
    /// For how many seconds the individual may be asked.
    var patience = 0

    init(_ header: String?) {
        for part in (header ?? "").lowercased().split(separator: ",") {
            let words = part.split(separator: "=").map { $0.filter { $0 != " " && $0 != "\t" } }
            if words == ["respond-async"] { isAsync = true }
            if words.count == 2, words[0] == "wait", let seconds = Int(words[1]) {
                patience = min(max(seconds, 0), AppService.longestPatience)
            }
        }
    }
}
