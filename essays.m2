S My Favourite Place

S The library is the my favourite place of town .
A 3 4|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 8 8|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S It have many book and the chairs are soft .
A 1 2|||SVA|||has|||REQUIRED|||-NONE-|||0
A 3 4|||Nn|||books|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||has|||REQUIRED|||-NONE-|||1
A 2 4|||Nn|||a lot of books|||REQUIRED|||-NONE-|||1

S I go there every Saturday for to read .
A 5 6|||Prep||||||REQUIRED|||-NONE-|||0

S The woman who works there knows all the childs .
A 8 9|||Nn|||children|||REQUIRED|||-NONE-|||0

S She always recommend me something new , even if I ca n't deciding .
A 2 3|||SVA|||recommends|||REQUIRED|||-NONE-|||0
A 12 13|||Vform|||decide|||REQUIRED|||-NONE-|||0

S I would like to work there to the future .
A 6 7|||Prep|||in|||REQUIRED|||-NONE-|||0
A 6 9|||Prep|||some day|||REQUIRED|||-NONE-|||1

S Some people think that the television make us lazy .
A 6 7|||SVA|||makes|||REQUIRED|||-NONE-|||0

S I am not agree with them .
A 1 2|||Vform|||do|||REQUIRED|||-NONE-|||0

S We can learn a lot of documentaries , informations about animals , for example .
A 5 6|||Prep|||from|||REQUIRED|||-NONE-|||0
A 8 9|||Nn|||information|||REQUIRED|||-NONE-|||0

S But my brother watches it five hours every days .
A 5 5|||Prep|||for|||REQUIRED|||-NONE-|||0
A 8 9|||Nn|||day|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S He did his homework later .
A 1 2|||Vt|||does|||REQUIRED|||-NONE-|||0

