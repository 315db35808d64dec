S The students likes reading books .
A 2 3|||SVA|||like|||REQUIRED|||-NONE-|||0

S I am agree with this opinion .
A 1 2|||Vform||||||REQUIRED|||-NONE-|||0

S Yesterday we visited the museum and eaten lunch .
A 6 7|||Vform|||ate|||REQUIRED|||-NONE-|||0

S She gave to me a book .
A 2 3|||Prep||||||REQUIRED|||-NONE-|||0

S Despite of the rain , they played football .
A 1 2|||Prep||||||REQUIRED|||-NONE-|||0

S He is interested on music .
A 3 4|||Prep|||in|||REQUIRED|||-NONE-|||0

