import EscrowManifest
import Testing

@Suite("A URL template names one host, and has no second reading")
struct TemplateTests {
    @Test(
        "What is read in two ways, or hides a host, a port or an address, is no template",
        arguments: [
            "http://api.example.org/", "HTTPS://api.example.org/", "ftp://api.example.org/",
            "file:///etc/passwd",
            "//api.example.org/", "https:/api.example.org/", "https:api.example.org", "https://", "https:///",
            " https://api.example.org/", "https://api.example.org /", "https://api.example.org/\n",
            // Another host behind this one.
            "https://user@api.example.org/", "https://api.example.org@evil.example/",
            "https://:@api.example.org/",
            "https://evil.example#@api.example.org/", "https://evil.example\\@api.example.org/",
            "https://api.example.org\\.evil.example/", "https://api.example.org%2eevil.example/",
            "https://api.example.org%00.evil.example/", "https://api.example.org;evil.example/",
            "https://api.example.org,evil.example/", "https://*.example.org/", "https://{h}.example.org/",
            "https://api.example.org{p}/", "https://api.example.org:443/", "https://api.example.org:/",
            // Addresses, in any spelling.
            "https://127.0.0.1/", "https://169.254.169.254/", "https://[::1]/",
            "https://[::ffff:169.254.169.254]/",
            "https://0xA9FEA9FE/", "https://2852039166/", "https://0251.0376.0251.0376/",
            "https://169.254.43518/",
            "https://127.1/", "https://0/", "https://0.0.0.0/", "https://[fe80::1%25eth0]/",
            "https://0x7f.1/",
            "https://1.2.3.0x4/", "https://api.example.0/",
            // Names that are none, or not of one spelling.
            "https://localhost/", "https://api/", "https://api.example.org./", "https://.example.org/",
            "https://api..example.org/", "https://-api.example.org/", "https://api-.example.org/",
            "https://API.example.org/", "https://a_b.example.org/", "https://\u{E4}pi.example.org/",
            "https://api.ex\u{430}mple.org/", "https://api\u{3002}example.org/",
            "https://api.example.org\u{301}/",
            "https://\u{FF21}pi.example.org/", "https://ap\u{AD}i.example.org/",
            "https://api\u{200B}.example.org/",
            "https://\(String(repeating: "a", count: 64)).example.org/",
            // Paths that climb, or have other parts.
            "https://api.example.org/..", "https://api.example.org/../x", "https://api.example.org/./x",
            "https://api.example.org//x", "https://api.example.org/x//", "https://api.example.org/%2e%2e/x",
            "https://api.example.org/x%2fy", "https://api.example.org/a\\b", "https://api.example.org/a;b",
            "https://api.example.org/?x=y", "https://api.example.org?x=y", "https://api.example.org/x?",
            "https://api.example.org/#x", "https://api.example.org/\u{E9}", "https://api.example.org/a b",
            "https://api.example.org/a\tb", "https://api.example.org/\0",
            "https://api.example.org/a\r\nhost: x",
            "https://api.example.org/{a}{b}", "https://api.example.org/x{a}", "https://api.example.org/{a}x",
            "https://api.example.org/{}", "https://api.example.org/{a b}", "https://api.example.org/{{a}}",
            "https://api.example.org/{a", "https://api.example.org/{\u{212A}}",
            "https://api.example.org/{a/b}",
            "https://api.example.org/" + String(repeating: "a", count: 1_024),
        ])
    func refused(text: String) {
        #expect(throws: EgressTemplate.Problem.self) { try EgressTemplate(text) }
    }

    @Test(
        "One host, constant segments and whole-segment fields are a template, which reads as it was written",
        arguments: [
            "https://api.example.org", "https://api.example.org/", "https://a.b/",
            "https://api.example.org/v1/{id}",
            "https://api.example.org/v1/{id}/", "https://api.example.org/.../~x-y_z.json",
            "https://xn--mnchen-3ya.example.org/",
            "https://1and1.example.org/", "https://allowed.example.org.evil.net/",
        ])
    func allowed(text: String) throws {
        let template = try EgressTemplate(text)
        #expect(template.description == text)
        #expect(text.dropFirst(8).hasPrefix(template.host))
    }
}
