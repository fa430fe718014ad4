//! The family of a browser, by its User-Agent: a closed list, so that nothing of the header itself goes any further.

/// A browser inside another app.
const WEB_VIEW: &str = "WebView";
/// Any other, and what is no browser.
const OTHER: &str = "other";

/// Parts of a User-Agent with the family that they mean; the first that occurs decides. Browsers name those that they
/// descend from, too, so that these come last.
const MARKS: [(&str, &str); 32] = [
    ("; wv)", WEB_VIEW),
    ("FBAN/", WEB_VIEW),
    ("FBAV/", WEB_VIEW),
    ("Instagram ", WEB_VIEW),
    ("WhatsApp/", WEB_VIEW),
    ("GSA/", WEB_VIEW),
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("OPR/", "Opera"),
    ("OPT/", "Opera"),
    ("OPX/", "Opera"),
    ("OPiOS/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("YaBrowser/", OTHER),
    ("Vivaldi/", OTHER),
    ("UCBrowser/", OTHER),
    ("MiuiBrowser/", OTHER),
    ("HuaweiBrowser/", OTHER),
    ("HeyTapBrowser/", OTHER),
    ("VivoBrowser/", OTHER),
    ("DuckDuckGo/", OTHER),
    ("Ddg/", OTHER),
    ("Brave/", OTHER),
    ("bot", OTHER),
    ("FxiOS/", "Firefox"),
    ("Focus/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    // Apps on Apple's systems leave out Safari's own mark.
    ("AppleWebKit/", WEB_VIEW),
];

/// The family of the browser that sends this User-Agent.
pub fn family(user_agent: &str) -> &'static str {
    if !user_agent.starts_with("Mozilla/") {
        return OTHER;
    }
    MARKS.iter().find(|(mark, _)| user_agent.contains(mark)).map_or(OTHER, |(_, family)| family)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const WINDOWS: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/";
    const ANDROID: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ";
    const IPHONE: &str =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ";
    const MAC: &str = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/";

    #[test]
    fn browsers_of_the_last_years_are_known() {
        for (family_name, start, rest) in [
            ("Chrome", WINDOWS, "131.0.0.0 Safari/537.36"),
            ("Chrome", MAC, "537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36"),
            ("Chrome", ANDROID, "Chrome/140.0.0.0 Mobile Safari/537.36"),
            ("Chrome", IPHONE, "CriOS/126.0.6478.35 Mobile/15E148 Safari/604.1"),
            (
                "Chrome",
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ",
                "HeadlessChrome/140.0.0.0 Safari/537.36",
            ),
            ("Edge", WINDOWS, "131.0.0.0 Safari/537.36 Edg/131.0.0.0"),
            ("Edge", ANDROID, "Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/140.0.0.0"),
            ("Edge", IPHONE, "Version/17.0 EdgiOS/126.0.2592.86 Mobile/15E148 Safari/605.1.15"),
            ("Firefox", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) ", "Gecko/20100101 Firefox/128.0"),
            ("Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) ", "Gecko/20100101 Firefox/145.0"),
            ("Firefox", "Mozilla/5.0 (Android 15; Mobile; rv:132.0) ", "Gecko/132.0 Firefox/132.0"),
            ("Firefox", IPHONE, "FxiOS/127.0 Mobile/15E148 Safari/605.1.15"),
            ("Opera", WINDOWS, "130.0.0.0 Safari/537.36 OPR/115.0.0.0"),
            ("Opera", ANDROID, "Chrome/130.0.0.0 Mobile Safari/537.36 OPR/86.0.0.0"),
            ("Opera", IPHONE, "Version/17.5 Mobile/15E148 Safari/604.1 OPT/4.8.0"),
            ("Opera", IPHONE, "Version/18.0 Mobile/15E148 Safari/604.1 OPX/2.5.4"),
            ("Safari", MAC, "605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15"),
            ("Safari", IPHONE, "Version/17.5 Mobile/15E148 Safari/604.1"),
            (
                "Safari",
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ",
                "Version/26.0 Mobile/15E148 Safari/604.1",
            ),
            ("Samsung Internet", ANDROID, "SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36"),
            (
                "Samsung Internet",
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ",
                "SamsungBrowser/25.0 Chrome/121.0.0.0 Safari/537.36",
            ),
            (
                "WebView",
                "Mozilla/5.0 (Linux; Android 14; SM-A546E Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) ",
                "Version/4.0 Chrome/126.0.6478.122 Mobile Safari/537.36",
            ),
            (
                "WebView",
                "Mozilla/5.0 (Linux; Android 13; moto g52 Build/T1SRS33.72-22-4-10; wv) AppleWebKit/537.36 (KHTML, like Gecko) ",
                "Version/4.0 Chrome/124.0.6367.179 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/466.0.0.37.109;]",
            ),
            (
                "WebView",
                "Mozilla/5.0 (Linux; Android 14; SM-S911B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) ",
                "Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36 Instagram 334.0.0.42.95 Android (34/14; 480dpi; 1080x2125; samsung; SM-S911B; dm1q; qcom; pt_BR; 605596538)",
            ),
            (
                "WebView",
                IPHONE,
                "Mobile/15E148 [FBAN/FBIOS;FBAV/467.0.0.40.107;FBBV/610923645;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.5.1;FBSS/3;FBID/phone;FBLC/pt_BR;FBOP/5]",
            ),
            (
                "WebView",
                IPHONE,
                "Mobile/21F90 Instagram 334.0.4.32.98 (iPhone14,5; iOS 17_5_1; pt_BR; pt; scale=3.00; 1170x2532; 607341066)",
            ),
            ("WebView", IPHONE, "Mobile/15E148 WhatsApp/24.12.79"),
            ("WebView", IPHONE, "Mobile/15E148"),
            ("WebView", IPHONE, "GSA/320.0.640652110 Mobile/15E148 Safari/604.1"),
            ("other", ANDROID, "Chrome/125.0.0.0 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.20.1-gn"),
            ("other", MAC, "605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15 Ddg/17.6"),
            ("other", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", ""),
            ("other", "WhatsApp/2.24.13.77 A", ""),
            ("other", "curl/8.5.0", ""),
            ("other", "", ""),
        ] {
            assert_eq!(family(&format!("{start}{rest}")), family_name, "{start}{rest}");
        }
    }

    #[test]
    fn the_contract_lists_every_family() {
        let contract = include_str!("../../docs/widget-api.openapi.yaml");
        let listed = contract.lines().find_map(|line| line.trim().strip_prefix("enum: [Chrome, ")).unwrap();
        let listed: BTreeSet<_> = listed.trim_end_matches(']').split(", ").chain(["Chrome"]).collect();
        assert_eq!(MARKS.iter().map(|(_, family)| *family).collect::<BTreeSet<_>>(), listed);
    }
}
