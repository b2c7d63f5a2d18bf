//! Every code is explained in the book.

use burnside_lang::diag::codes;

#[test]
fn every_code_is_in_the_book() {
    let page = include_str!("../../../docs/src/errors.md");
    for (name, code, meaning) in codes::ALL {
        assert!(page.contains(code.0), "{name}: {} is not in docs/src/errors.md", code.0);
        assert!(page.contains(meaning), "{name}: docs/src/errors.md does not say: {meaning}");
    }
}
