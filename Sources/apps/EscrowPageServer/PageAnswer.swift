import EscrowPage

/// What a browser is answered.
struct PageAnswer {
    var status: UInt32 = 200
    var type = "text/html; charset=utf-8"
    var body: [UInt8] = []
    var headers: [(name: String, value: String)] = []

    /// What needs no cookie: it tells nothing.
    static let open: [String: PageAnswer] = [
        "/style.css": PageAnswer(type: "text/css; charset=utf-8", body: Array(StyleSheet.text.utf8)),
        "/script.js": PageAnswer(type: "text/javascript; charset=utf-8", body: Array(PageScript.text.utf8)),
        "/icon.svg": PageAnswer(type: "image/svg+xml", body: Array(PageScript.icon.utf8)),
    ]

    /// On to another of our addresses, by GET.
    static func see(_ address: Address) -> PageAnswer {
        PageAnswer(status: 303, headers: [("Location", address.spelling)])
    }

    /// What goes with every answer: nothing from elsewhere, nothing inline, nothing kept, no frame.
    static let guards: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
        // With no-referrer a browser would hide the Origin of our own forms.
        ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
        ("Permissions-Policy", "geolocation=(), camera=(), microphone=(), clipboard-read=()"),
    ]

    /// Why somebody is not let in.
    static func refused(_ refusal: Door.Refusal) -> PageAnswer {
        let words: (title: String, sentences: [String]) =
            switch refusal {
            case .otherHost:
                ("Not this page", ["This address is not the one that escrow page gave out."])
            case .otherSite: ("Not from here", ["Another site led here, so nothing was done."])
            case .unknown, .usedUp:
                (
                    "Nobody is let in",
                    [
                        "The address that escrow page gives out works once, for five minutes, in one browser.",
                        "If you did not open it yourself, somebody else did: end escrow page and start it again.",
                    ]
                )
            case .noSuchMethod, .noForm: ("Not understood", ["That is no request of this page."])
            }
        return PageAnswer(
            status: UInt32(refusal.rawValue), body: Frame.stranger(words.title, words.sentences))
    }
}
