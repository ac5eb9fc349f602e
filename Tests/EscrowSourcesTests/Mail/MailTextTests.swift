import EscrowTabular
import Testing

@testable import EscrowFormats

@Suite("The text of mail headers")
struct MailTextTests {
    @Test(
        "lists of addresses are read as RFC 5322 says, and what is wrong with one loses no other",
        arguments: [
            ("ada@example.org", "|ada@example.org"),
            ("Ada <ada@example.org>", "Ada|ada@example.org"),
            ("\"Ada \\\"the\\\" King\" <ada@example.org>", "Ada \"the\" King|ada@example.org"),
            ("ada@example.org (Ada (Countess) King)", "Ada (Countess) King|ada@example.org"),
            ("Ada . K <ada(x)@ (y) example.org>", "Ada . K|ada@example.org"),
            ("\"a, b\"@example.org, c@d", "|\"a, b\"@example.org;|c@d"),
            ("<@relay.org,@two.org:ada@example.org>", "|ada@example.org"),
            ("Team: a@b, C <c@d>; , e@f", "|a@b;C|c@d;|e@f"),
            ("undisclosed-recipients:;", ""), ("", ""), (" , ,; ", ""), ("<>", ""),
            ("root", "|root"), ("Ada Lovelace", "Ada Lovelace|"),
            ("Ada Lovelace ada@example.org", "Ada Lovelace|ada@example.org"),
            ("ada@example.org work", "|ada@example.org"),
            ("Ada <ada@example.org, Bob <bob@example.org>", "Ada|ada@example.org;Bob|bob@example.org"),
            ("\"Ada <ada@example.org>, bob@example.org", "\"Ada|ada@example.org;|bob@example.org"),
            ("(Ada <ada@example.org>, bob@example.org", "(Ada|ada@example.org;|bob@example.org"),
            ("ada@[192.0.2.1], b@[IPv6:2001:db8::1]", "|ada@[192.0.2.1];|b@[IPv6:2001:db8::1]"),
            ("=?utf-8?Q?J=C3=B6rg?= =?utf-8?Q?_M?= x <j@x>", "Jörg M x|j@x"),
            ("\"=?utf-8?B?SsO2cmc=?=\" <j@x>", "Jörg|j@x"),
            ("Jörg <jörg@bücher.example>", "Jörg|jörg@bücher.example"),
            ("a@b\\,c", "|a@b\\;|c"), ("<<a@b>>", "|a@b"),
        ])
    func addresses(_ text: String, _ expected: String) {
        var list = MailAddressList(Array(text.utf8)[...])
        var found: [String] = []
        while let next = list.next() {
            found.append(
                String(decoding: next.name, as: UTF8.self) + "|"
                    + String(decoding: next.address, as: UTF8.self))
        }
        #expect(found.joined(separator: ";") == expected)
    }

    @Test(
        "encoded words are decoded, joined and cleaned; all else stays as it is",
        arguments: [
            ("plain", "plain"), ("a =?utf-8?q?b?= c", "a b c"), ("=?utf-8?q?a?= =?utf-8?q?b?=", "ab"),
            ("=?utf-8?q?a?=\n\t=?iso-8859-1?q?=E4?= d", "aä d"), ("=?utf-8?Q?=C3?= =?utf-8?Q?=A4?=", "ä"),
            ("=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?=", "日本"), ("=?iso-2022-jp?Q?=1B$B=46|=4B\\=1B(B!?=", "日本!"),
            ("=?utf-8*de?Q?=C3=A4?=", "ä"), ("=?koi8-r?B?8NLJ18XU?=", "Привет"),
            ("=?no-such?Q?a=E4b?=", "a\u{FFFD}b"), ("=?utf-8?X?a?=", "=?utf-8?X?a?="),
            ("=?utf-8?Q?a", "=?utf-8?Q?a"), ("=?", "=?"), ("=?utf-8?Q?a?", "=?utf-8?Q?a?"),
            ("1=2 =?= ?=", "1=2 =?= ?="),
            ("=?utf-8?Q?a=0D=0ABcc:_x=00?=", "a  Bcc: x"),
            ("=?utf-8?Q?not_ended =?utf-8?Q?b?=", "=?utf-8?Q?not_ended b"),
            ("=?utf-8?B?SsO2cmc?=", "Jörg"), ("=?windows-1252?Q?=80?=", "€"), ("=?iso_8859-1?Q?=E4?=", "ä"),
            ("=?utf-8?Q??=x", "x"),
        ])
    func encodedWords(_ text: String, _ expected: String) {
        #expect(String(decoding: EncodedWords.decode(Array(text.utf8)[...]), as: UTF8.self) == expected)
    }

    @Test("bytes that are not UTF-8 are read as Windows-1252")
    func rawBytes() {
        #expect(String(decoding: EncodedWords.decode([0x4A, 0xF6, 0x72, 0x67, 0]), as: UTF8.self) == "Jörg")
    }

    @Test(
        "dates of mail, with the forms of old",
        arguments: [
            ("Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06.000Z"),
            ("21 Nov 97 09:55 GMT", "1997-11-21T09:55:00.000Z"),
            ("Thu,\t13 Feb 1969 23:32:54.123 -0330 (Newfoundland (Time))", "1969-02-14T03:02:54.000Z"),
            ("Fri, 21 Nov 1997 09(comment): 55 : 06 -0600", nil),
            ("21-Nov-1997 09:55:06+0100", "1997-11-21T08:55:06.000Z"),
            ("Fri Nov 21 09:55:06 1997", "1997-11-21T09:55:06.000Z"),
            ("Fri Nov 21 09:55:06 PST 1997", "1997-11-21T17:55:06.000Z"),
            ("Wed, 8 May 2002 06:09:22 PM EDT", "2002-05-08T22:09:22.000Z"),
            ("8 May 2002 12:09 AM +0000", "2002-05-08T00:09:00.000Z"),
            ("8 May 2002 12:09:00pm", "2002-05-08T12:09:00.000Z"),
            ("8 May 2002 18:09 PM Z", "2002-05-08T18:09:00.000Z"),
            ("21 November 2025 09:55:60 EDT", "2025-11-21T13:56:00.000Z"),
            ("6 Jul 1992 00:41:59MST", "1992-07-06T07:41:59.000Z"),
            ("1 Jan 49 00:00 Z", "2049-01-01T00:00:00.000Z"),
            ("1 Jan 104 00:00 Q", "2004-01-01T00:00:00.000Z"),
            ("31 Feb 2025 00:00:00 +0000", nil), ("today", nil), ("", nil), ("1 Jan 2025", nil),
            ("1 Jan 2025 24:00 +0000", nil), ("1 Jan 2025 00:00 +9999", "2025-01-01T00:00:00.000Z"),
        ])
    func dates(_ text: String, _ expected: String?) {
        #expect(MailDate.read(Array(text.utf8)[...])?.iso8601 == expected)
    }
}
