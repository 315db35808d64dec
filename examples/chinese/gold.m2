S 我 喜 欢 吃 平 果 。
A 4 5|||Spelling|||苹|||REQUIRED|||-NONE-|||0

S 昨 天 我 去 学 校 了 ， 我 很 高 兴 兴 。
A 3 3|||Missing|||们|||REQUIRED|||-NONE-|||0
A 12 13|||Redundant||||||REQUIRED|||-NONE-|||0

S 他 有 两 个 GPS 。
A 3 4|||Word|||台|||REQUIRED|||-NONE-|||0
