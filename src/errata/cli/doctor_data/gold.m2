S She have lived in this town since five years .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
A 6 7|||R:PREP|||for|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||1
A 6 7|||R:PREP|||for|||REQUIRED|||-NONE-|||1

S The informations on the poster was wrong .
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||1

S I look forward to meet you at station .
A 4 5|||R:VERB:FORM|||meeting|||REQUIRED|||-NONE-|||0
A 7 7|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||am looking|||REQUIRED|||-NONE-|||1
A 4 5|||R:VERB:FORM|||meeting|||REQUIRED|||-NONE-|||1
A 7 7|||M:DET|||the|||REQUIRED|||-NONE-|||1

S It rained all day .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S He explained me the rule but I did n't understood it .
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||0
A 5 5|||M:OTHER|||to me|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:FORM|||understand|||REQUIRED|||-NONE-|||0
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||1
A 5 5|||M:OTHER|||to me ,|||REQUIRED|||-NONE-|||1
A 8 9|||R:CONTR|||not|||REQUIRED|||-NONE-|||1
A 9 10|||R:VERB:FORM|||understand|||REQUIRED|||-NONE-|||1

S Peoples who lives near the river should carefull .
A 0 1|||R:MORPH|||People|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||live|||REQUIRED|||-NONE-|||0
A 7 7|||M:VERB|||be|||REQUIRED|||-NONE-|||0
A 7 8|||R:SPELL|||careful|||REQUIRED|||-NONE-|||0
A 0 1|||R:MORPH|||People|||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB:SVA|||live|||REQUIRED|||-NONE-|||1
A 7 7|||M:VERB|||be|||REQUIRED|||-NONE-|||1
A 7 8|||R:SPELL|||careful|||REQUIRED|||-NONE-|||1

S We discussed about the plan yesterday in the night .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 5 8|||R:OTHER|||last|||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||1
A 6 8|||U:OTHER||||||REQUIRED|||-NONE-|||1

S My sister is more taller than me .
A 3 4|||U:ADV||||||REQUIRED|||-NONE-|||0
A 3 4|||U:ADV||||||REQUIRED|||-NONE-|||1
A 6 7|||R:OTHER|||I am|||REQUIRED|||-NONE-|||1

S If I will have time , I call you tomorrow .
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 7 7|||M:VERB:TENSE|||will|||REQUIRED|||-NONE-|||0
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1
A 7 7|||M:CONTR|||'ll|||REQUIRED|||-NONE-|||1

S There is many reason to learn languages .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||reasons|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||1
A 3 4|||R:NOUN:NUM|||reasons|||REQUIRED|||-NONE-|||1

S The cake that my mother baked it was delicious .
A 6 7|||U:PRON||||||REQUIRED|||-NONE-|||0
A 2 3|||U:DET||||||REQUIRED|||-NONE-|||1
A 6 7|||U:PRON||||||REQUIRED|||-NONE-|||1

S Unfortunately the train arrived lately , so we missed begin of the film .
A 4 5|||R:MORPH|||late|||REQUIRED|||-NONE-|||0
A 9 10|||R:OTHER|||the beginning|||REQUIRED|||-NONE-|||0
A 1 1|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 3 4|||R:VERB|||was|||REQUIRED|||-NONE-|||1
A 4 5|||R:MORPH|||late|||REQUIRED|||-NONE-|||1
A 9 10|||R:OTHER|||the start|||REQUIRED|||-NONE-|||1

