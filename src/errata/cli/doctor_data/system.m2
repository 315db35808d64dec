S She have lived in this town since five years .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S The informations on the poster was wrong .
A 5 6|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0

S I look forward to meet you at station .
A 4 5|||R:VERB:FORM|||meeting|||REQUIRED|||-NONE-|||0

S It rained all day .
A 1 2|||R:VERB:TENSE|||was raining|||REQUIRED|||-NONE-|||0

S He explained me the rule but I did n't understood it .
A 2 2|||M:PREP|||to|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:FORM|||understand|||REQUIRED|||-NONE-|||0

S Peoples who lives near the river should carefull .
A 0 1|||R:MORPH|||People|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||live|||REQUIRED|||-NONE-|||0
A 7 8|||R:SPELL|||careful|||REQUIRED|||-NONE-|||0

S We discussed about the plan yesterday in the night .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 6 7|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 7 8|||U:DET||||||REQUIRED|||-NONE-|||0

S My sister is more taller than me .
A 3 4|||U:ADV||||||REQUIRED|||-NONE-|||0

S If I will have time , I call you tomorrow .
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 7 7|||M:VERB:TENSE|||will|||REQUIRED|||-NONE-|||0
A 9 10|||R:NOUN|||tommorow|||REQUIRED|||-NONE-|||0

S There is many reason to learn languages .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 6 6|||M:DET|||the|||REQUIRED|||-NONE-|||0

S The cake that my mother baked it was delicious .
A 6 7|||U:PRON||||||REQUIRED|||-NONE-|||0

S Unfortunately the train arrived lately , so we missed begin of the film .
A 1 1|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 4 5|||R:MORPH|||late|||REQUIRED|||-NONE-|||0
A 9 10|||R:MORPH|||beginning|||REQUIRED|||-NONE-|||0

