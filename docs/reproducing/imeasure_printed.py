"""Tables 7, 8, 10 and 11 of Felice and Briscoe 2015, as they are printed."""

TABLE_7 = (("0.60", "0.20", "0.43"), ("0.80", "0.05", "0.20"), ("0.30", "0.30", "0.30"), ("0.30", "0.40", "0.32"))
"""P, R and F0.5."""
TABLE_8 = {
    "Baseline": ((0, 0, 6, 4), ("1.00", "0.00", "0.00", "0.60", "0.60")),
    "S1": ((4, 1, 5, 0), ("0.80", "1.00", "0.83", "0.90", "0.87")),
    "S2": ((1, 0, 6, 3), ("1.00", "0.25", "0.62", "0.70", "0.73")),
    "S3": ((1, 1, 5, 3), ("0.50", "0.25", "0.42", "0.60", "0.58")),
    "S4": ((4, 6, 0, 0), ("0.40", "1.00", "0.45", "0.40", "0.40")),
}
"""TP, FP, TN and FN; P, R, F0.5, Acc and WAcc."""
TABLE_10 = {
    "CUUI": ("47.66", "33.87", "44.07", "47.57", "39.60", "45.73"),
    "AMU": ("44.68", "29.44", "40.48", "44.56", "33.49", "41.80"),
    "CAMB": ("39.22", "41.65", "39.69", "39.04", "48.72", "40.66"),
    "POST": ("36.39", "29.13", "34.67", "36.39", "33.79", "35.84"),
    "NTHU": ("33.56", "28.10", "32.31", "33.62", "31.52", "33.18"),
    "UMC": ("34.86", "20.86", "30.73", "34.86", "23.31", "31.71"),
    "RAC": ("33.67", "19.08", "29.21", "33.67", "21.59", "30.28"),
    "PKU": ("32.17", "19.60", "28.51", "32.42", "21.63", "29.48"),
    "SJTU": ("28.00", "7.08", "17.60", "28.00", "7.46", "18.06"),
    "UFC": ("73.08", "3.26", "13.83", "73.08", "3.39", "14.31"),
    "IPN": ("9.16", "3.87", "7.20", "9.16", "4.09", "7.34"),
    "IITB": ("30.30", "1.74", "7.07", "30.30", "1.81", "7.31"),
    "BASELINE": ("100.00", "0.00", "0.00", "100.00", "0.00", "0.00"),
}
"""P, R and F0.5 of MaxMatch with original and with mixed annotations."""
TABLE_11 = {
    "UFC": ("19", "13062", "7", "665", "2", "73.08", "2.78", "12.06", "95.13", "95.09", "95.03", "1.35"),
    "BASELINE": ("0", "13078", "0", "673", "0", "100.00", "0.00", "0.00", "95.11", "95.11", "95.11", "0.00"),
    "IITB": ("11", "13057", "26", "668", "4", "29.73", "1.62", "6.65", "94.98", "94.82", "95.06", "-0.25"),
    "SJTU": ("54", "12947", "114", "649", "8", "32.14", "7.68", "19.64", "94.51", "93.79", "94.89", "-1.16"),
    "CUUI": ("290", "12697", "337", "553", "34", "46.25", "34.40", "43.27", "93.82", "91.86", "93.91", "-2.18"),
    "PKU": ("128", "12800", "283", "625", "66", "31.14", "17.00", "26.70", "93.89", "92.28", "94.53", "-2.38"),
    "AMU": ("219", "12761", "322", "556", "41", "40.48", "28.26", "37.26", "93.94", "92.06", "94.39", "-2.47"),
    "UMC": ("179", "12761", "314", "603", "26", "36.31", "22.89", "32.50", "93.56", "91.67", "94.35", "-2.84"),
    "IPN": ("25", "12848", "251", "680", "40", "9.06", "3.55", "6.91", "93.53", "92.00", "94.88", "-3.04"),
    "POST": ("231", "12588", "454", "574", "46", "33.72", "28.70", "32.58", "92.88", "90.23", "94.17", "-4.18"),
    "RAC": ("147", "12723", "426", "623", "49", "25.65", "19.09", "24.00", "92.79", "90.28", "94.45", "-4.41"),
    "CAMB": ("386", "12402", "641", "502", "78", "37.59", "43.47", "38.63", "92.31", "88.77", "93.59", "-5.15"),
    "NTHU": ("196", "12620", "521", "575", "54", "27.34", "25.42", "26.93", "92.48", "89.44", "94.44", "-5.29"),
}
"""TP, TN, FP, FN, FPN, P, R, F0.5, Acc, WAcc, WAcc of the baseline, and I."""
COLUMNS_11 = ("TP", "TN", "FP", "FN", "FPN", "P", "R", "F0.5", "Acc", "WAcc", "WAcc base", "I")
TABLE_12 = (
    (
        "The son was died after one year 's treatment and a couple got divorced later after that .",
        "The son had died after one year 's and the couple got divorced later after that .",
    ),
    (
        (
            "Although there might be a lot of challenges along the way in seeking medical attention , such as a financial issues , "
            "everyone should be given right of knowing their family 's inherented medical conditions ."
        ),
        (
            "Although there might be a lot of challenges along the way in seeking medical attention , such as finance , "
            "everyone should be given the right of knowing their family 's inherented medical conditions ."
        ),
    ),
    (
        (
            "Taking Angeline Jolie , for example , she is famous but she still reveal the truth about her genetic testing "
            "to the development of her breast cancer risk ."
        ),
        (
            "Taking Angeline Jolie for example , she is famous but she still revealed the truth about her genetic testing "
            "on the development of her breast cancer risk ."
        ),
    ),
)
"""Pairs of hypotheses: the first has the higher F0.5, the second the higher I."""
